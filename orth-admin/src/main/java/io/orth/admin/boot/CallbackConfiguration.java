package io.orth.admin.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.CallbackProperties;
import io.orth.admin.run.CallbackQueue;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wiring of the callback queue. Callbacks use the node's shared connections, so the pool size limits their workers. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CallbackProperties.class)
class CallbackConfiguration {

    @Bean
    CallbackQueue callbackQueue(
            CallbackIntake intake, CallbackProperties properties, DatabaseProperties database, MeterRegistry meters) {
        return new CallbackQueue(intake, properties, properties.workers(database.poolSize()), meters);
    }
}
