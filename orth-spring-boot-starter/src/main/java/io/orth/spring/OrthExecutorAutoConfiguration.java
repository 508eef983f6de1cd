package io.orth.spring;

import io.orth.executor.GlueInjector;
import io.orth.executor.OrthExecutor;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Runs an executor in the application, with the {@code @OrthJob}, {@code @OrthQueue} and {@code @OrthStage} methods of its beans
 * as handlers.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "orth.executor.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OrthExecutorProperties.class)
public final class OrthExecutorAutoConfiguration {

    @Bean
    static BeanFactoryPostProcessor orthUnknownExecutorSettings(ConfigurableEnvironment environment) {
        return new UnknownSettings(OrthExecutorProperties.PREFIX, environment);
    }

    /** The beans are scanned when the executor starts, so none is created early for this purpose. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    OrthExecutor orthExecutor(
            OrthExecutorProperties properties, ConfigurableListableBeanFactory beans, GlueInjector injector) {
        return OrthExecutor.create(properties.toOptions(), () -> new OrthJobBeans(beans).handlers(), injector);
    }

    @Bean
    @ConditionalOnMissingBean
    GlueInjector orthGlueInjector(ConfigurableListableBeanFactory beans) {
        return new BeanInjector(beans);
    }

    @Bean
    OrthExecutorLifecycle orthExecutorLifecycle(OrthExecutor executor) {
        return new OrthExecutorLifecycle(executor);
    }

    /** Applies only with Logback; other logging systems are left unchanged. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"ch.qos.logback.classic.LoggerContext", "ch.qos.logback.core.Appender"})
    @ConditionalOnBooleanProperty(name = "orth.executor.capture-logs", matchIfMissing = true)
    static class LogCapture {

        @Bean
        RunLogCaptureLifecycle orthRunLogCapture() {
            return new RunLogCaptureLifecycle();
        }
    }
}
