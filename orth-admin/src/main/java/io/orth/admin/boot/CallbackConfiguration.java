package io.orth.admin.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.CallbackProperties;
import io.orth.admin.run.CallbackQueue;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Callbacks share the node's connections to the database with everything else, so how many it has decides how many they may use. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CallbackProperties.class)
class CallbackConfiguration {

    @Bean
    CallbackQueue callbackQueue(
            CallbackIntake intake, CallbackProperties properties, DatabaseProperties database, MeterRegistry meters) {
        return new CallbackQueue(intake, properties, properties.workers(database.poolSize()), meters);
    }
}
