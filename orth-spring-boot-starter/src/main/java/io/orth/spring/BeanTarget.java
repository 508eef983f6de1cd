package io.orth.spring;

import io.orth.executor.MethodJobHandler;
import io.orth.executor.OrthJob;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The bean that has a job's method. It is asked for at each call: a singleton is always the same, a lazy one is created by the
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

    /** Finds out at the start what can be found out without creating a bean. */
    void check(OrthJob job, Method method) {
        boolean singleton = beans.isSingleton(beanName);
        if (!singleton && !(job.init().isEmpty() && job.destroy().isEmpty())) {
            throw new IllegalArgumentException(
                    "@OrthJob '%s' on %s cannot have init or destroy: the bean '%s' is not a singleton, so they would be called on objects that no run uses"
                            .formatted(job.value(), type.getName(), beanName));
        }
        if (singleton && beans.containsSingleton(beanName) && !Modifier.isStatic(method.getModifiers())) {
            checkCallable(job, method);
        }
    }

    private void checkCallable(OrthJob job, Method method) {
        try {
            callable(method, instance());
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "@OrthJob '%s' on %s.%s() cannot be called: %s"
                            .formatted(job.value(), type.getName(), method.getName(), e.getMessage()),
                    e);
        }
    }
}
