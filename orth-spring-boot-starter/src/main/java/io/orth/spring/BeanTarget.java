package io.orth.spring;

import io.orth.executor.MethodJobHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The bean that declares a handler's method. It is looked up at each call: a singleton is always the same object, a lazy bean is
 * created by the first run, and any other scope applies as usual; a prototype yields a new bean per run. Methods of a proxied
 * bean are called through the proxy.
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
     * Validates at startup as much as possible without creating a bean.
     *
     * @param annotation the annotation's name for error messages
     * @param hasLife whether it specifies init or destroy methods
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
