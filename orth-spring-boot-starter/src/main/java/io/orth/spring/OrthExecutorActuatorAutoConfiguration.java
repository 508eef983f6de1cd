package io.orth.spring;

import io.orth.executor.OrthExecutor;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the executor to the health and info endpoints, if the application has them. Health contributors have different names in
 * Spring Boot 3 and 4, so each version has its own, behind a condition; everything else is shared.
 */
@AutoConfiguration(after = OrthExecutorAutoConfiguration.class)
@ConditionalOnBean(OrthExecutorLifecycle.class)
public final class OrthExecutorActuatorAutoConfiguration {

    private static final String HEALTH_OF_BOOT_4 = "org.springframework.boot.health.contributor.HealthIndicator";
    private static final String HEALTH_OF_BOOT_3 = "org.springframework.boot.actuate.health.HealthIndicator";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = HEALTH_OF_BOOT_4)
    @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("orth")
    static class HealthInBoot4 {

        @Bean
        @ConditionalOnMissingBean(name = "orthHealthIndicator")
        Boot4HealthIndicator orthHealthIndicator(OrthExecutorLifecycle lifecycle, OrthExecutor executor) {
            return new Boot4HealthIndicator(lifecycle, executor);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(HEALTH_OF_BOOT_4)
    @ConditionalOnClass(name = HEALTH_OF_BOOT_3)
    @org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator("orth")
    static class HealthInBoot3 {

        @Bean
        @ConditionalOnMissingBean(name = "orthHealthIndicator")
        Boot3HealthIndicator orthHealthIndicator(OrthExecutorLifecycle lifecycle, OrthExecutor executor) {
            return new Boot3HealthIndicator(lifecycle, executor);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.info.InfoContributor")
    @ConditionalOnEnabledInfoContributor("orth")
    static class Info {

        @Bean
        @ConditionalOnMissingBean(name = "orthInfoContributor")
        ExecutorInfoContributor orthInfoContributor(OrthExecutorLifecycle lifecycle, OrthExecutor executor) {
            return new ExecutorInfoContributor(lifecycle, executor);
        }
    }
}
