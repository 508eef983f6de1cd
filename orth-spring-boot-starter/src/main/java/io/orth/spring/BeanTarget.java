package io.orth.spring;

import io.orth.executor.MethodJobHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The bean that has a handler's method. It is asked for at each call: a singleton is always the same, a lazy one is created by the
 * first run, one of another scope is what its scope says, for a prototype a new one per run. A proxied bean's methods are called
 * through its proxy.
 */
record BeanTarget(ConfigurableListableBeanFactory beans, String beanName, Class<?> type)
        implements MethodJobHandler.Target {

    @Override
    public Object instance() {
        return beans.getBean(beanName);
    }

    @Override
    public Method callable(Method method, Object instance) {
        Method callable = AopUtils.selectInvocableMethod(method, instance.getClass());
        callable.setAccessible(true);
        return callable;
    }

    /**
     * Finds out at the start what can be found out without creating a bean.
     *
     * @param annotation as messages name it
     * @param hasLife whether it names methods for init or destroy
     */
    void check(String annotation, boolean hasLife, Method method) {
        boolean singleton = beans.isSingleton(beanName);
        if (!singleton && hasLife) {
            throw new IllegalArgumentException(
                    "%s on %s cannot have init or destroy: the bean '%s' is not a singleton, so they would be called on objects that no run uses"
                            .formatted(annotation, type.getName(), beanName));
        }
        if (singleton && beans.containsSingleton(beanName) && !Modifier.isStatic(method.getModifiers())) {
            checkCallable(annotation, method);
        }
    }

    private void checkCallable(String annotation, Method method) {
        try {
            callable(method, instance());
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "%s on %s.%s() cannot be called: %s"
                            .formatted(annotation, type.getName(), method.getName(), e.getMessage()),
                    e);
        }
    }
}
