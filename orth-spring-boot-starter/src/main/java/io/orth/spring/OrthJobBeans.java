package io.orth.spring;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.MethodJobHandler;
import io.orth.executor.OrthJob;
import java.lang.reflect.Method;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** The {@link OrthJob} methods of an application's beans, found without creating any bean that is to be created later. */
final class OrthJobBeans {

    private final ConfigurableListableBeanFactory beans;

    OrthJobBeans(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    HandlerRegistry handlers() {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                addMethodsOf(name, handlers);
            }
        }
        return handlers.build();
    }

    private void addMethodsOf(String beanName, HandlerRegistry.Builder handlers) {
        Class<?> declared = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (declared == null || !AnnotationUtils.isCandidateClass(declared, OrthJob.class)) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(declared);
        Map<Method, OrthJob> methods =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<OrthJob>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, OrthJob.class));
        BeanTarget target = new BeanTarget(beans, beanName, type);
        methods.forEach((method, job) -> {
            target.check(job, method);
            handlers.add(job.value(), MethodJobHandler.of(job, target, method, beans::resolveEmbeddedValue));
        });
    }
}
