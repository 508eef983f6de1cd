package io.orth.admin.queue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/** A driver that reports each call to a watcher before executing it. */
public final class WatchedDriver {

    private WatchedDriver() {}

    /** @param watch receives the method name and its arguments (possibly none); an exception it throws fails the call */
    public static QueueDriver of(QueueDriver real, BiConsumer<String, Object[]> watch) {
        return of(real, watch, true);
    }

    /** The same for a driver outside this database. */
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
