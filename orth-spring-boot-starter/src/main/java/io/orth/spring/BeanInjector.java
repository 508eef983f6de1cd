package io.orth.spring;

import io.orth.executor.GlueInjector;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/** Injects the application's beans into the annotated fields and methods of handlers created from source text. */
final class BeanInjector implements GlueInjector {

    private final AutowireCapableBeanFactory beans;

    BeanInjector(AutowireCapableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void inject(Object target) {
        beans.autowireBean(target);
    }
}
