package io.orth.spring;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.MethodJobHandler;
import io.orth.executor.OrthJob;
import io.orth.executor.OrthQueue;
import io.orth.executor.OrthStage;
import io.orth.executor.PipelineWorker;
import io.orth.executor.QueueWorker;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the {@link OrthJob}, {@link OrthQueue} and {@link OrthStage} methods of an application's beans without instantiating any
 * bean early.
 */
final class OrthJobBeans {

    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(OrthJob.class, OrthQueue.class, OrthStage.class);

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
        if (declared == null || !AnnotationUtils.isCandidateClass(declared, ANNOTATIONS)) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(declared);
        BeanTarget target = new BeanTarget(beans, beanName, type);
        methodsOf(type, OrthJob.class).forEach((method, job) -> {
            boolean hasLife = !(job.init().isEmpty() && job.destroy().isEmpty());
            target.check("@OrthJob '%s'".formatted(job.value()), hasLife, method);
            handlers.add(job.value(), MethodJobHandler.of(job, target, method, beans::resolveEmbeddedValue));
        });
        methodsOf(type, OrthQueue.class).forEach((method, queue) -> {
            target.check("@OrthQueue '%s'".formatted(queue.value()), false, method);
            handlers.addQueue(QueueWorker.of(queue, target, method, beans::resolveEmbeddedValue));
        });
        methodsOf(type, OrthStage.class).forEach((method, stage) -> {
            target.check("@OrthStage '%s' of '%s'".formatted(stage.stage(), stage.pipeline()), false, method);
            handlers.addStage(PipelineWorker.of(stage, target, method, beans::resolveEmbeddedValue));
        });
    }

    private static <A extends Annotation> Map<Method, A> methodsOf(Class<?> type, Class<A> annotation) {
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<A>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation));
    }
}
