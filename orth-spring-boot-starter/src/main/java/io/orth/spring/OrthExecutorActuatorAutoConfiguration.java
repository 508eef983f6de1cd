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
 * Shows the executor in the health and info endpoints of an application that has them. Health contributors have other names in
 * Spring Boot 4 than in 3, so each has its own, behind a condition; everything else is the same for both.
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
