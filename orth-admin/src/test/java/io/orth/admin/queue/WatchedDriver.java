package io.orth.admin.queue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/** A driver that tells of each call before it does what it is asked for. */
public final class WatchedDriver {

    private WatchedDriver() {}

    /** @param watch gets the name of the method and its arguments, of which there may be none; what it throws is what the call does */
    public static QueueDriver of(QueueDriver real, BiConsumer<String, Object[]> watch) {
        return of(real, watch, true);
    }

    /** The same, of one that is not in this database. */
    public static QueueDriver elsewhere(QueueDriver real, BiConsumer<String, Object[]> watch) {
        return of(real, watch, false);
    }

    private static QueueDriver of(QueueDriver real, BiConsumer<String, Object[]> watch, boolean joins) {
        return (QueueDriver) Proxy.newProxyInstance(
                QueueDriver.class.getClassLoader(), new Class<?>[] {QueueDriver.class}, (proxy, method, args) -> {
                    if (method.getName().equals("joinsTransactions")) {
                        return joins;
                    }
                    watch.accept(method.getName(), args == null ? new Object[0] : args);
                    try {
                        return method.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
