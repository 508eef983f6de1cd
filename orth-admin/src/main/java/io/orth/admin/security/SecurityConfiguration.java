package io.orth.admin.security;

import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** Wiring of the security package. */
@Configuration(proxyBeanMethods = false)
@ComponentScan
@EnableConfigurationProperties({SecurityProperties.class, FirstStartProperties.class})
class SecurityConfiguration {

    private static final Logger log = LoggerFactory.getLogger(SecurityConfiguration.class);

    @Bean
    Passwords passwords(SecurityProperties settings) {
        int lanes = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new Passwords(settings.passwordStrength(), lanes);
    }

    @Bean
    Setup setup(UserRepository users, Users accounts, LoginThrottle throttle, Clock clock) {
        SetupCode code = new SetupCode(clock, SecurityConfiguration::announce);
        return new Setup(users, accounts, code, throttle);
    }

    private static void announce(String code) {
        log.atInfo()
                .addKeyValue("code", code)
                .addKeyValue("minutes", SetupCode.LIFETIME.toMinutes())
                .log("there is no user yet: open the console and enter the set-up code " + code);
    }
}
