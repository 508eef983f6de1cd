package io.orth.spring;

import io.orth.executor.GlueInjector;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/** Gives handlers that are made from source text the application's beans, where their fields and methods ask for them. */
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
