package io.orth.admin.security;

import io.orth.admin.kernel.Transactions;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts the security feature together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({SecurityProperties.class, FirstStartProperties.class})
class SecurityConfiguration {

    private static final Logger log = LoggerFactory.getLogger(SecurityConfiguration.class);

    @Bean
    Secrets secrets() {
        return new Secrets();
    }

    @Bean
    Passwords passwords(SecurityProperties settings, Secrets secrets) {
        int lanes = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new Passwords(settings.passwordStrength(), lanes, secrets);
    }

    @Bean
    LoginThrottle loginThrottle(SecurityProperties settings, Clock clock) {
        return new LoginThrottle(settings, clock);
    }

    @Bean
    UserRepository userRepository(JdbcClient jdbc) {
        return new UserRepository(jdbc);
    }

    @Bean
    SessionRepository sessionRepository(JdbcClient jdbc) {
        return new SessionRepository(jdbc);
    }

    @Bean
    Users users(
            UserRepository users,
            SessionRepository sessions,
            Passwords passwords,
            Transactions transactions,
            Clock clock) {
        return new Users(users, sessions, passwords, transactions, clock);
    }

    @Bean
    Sessions sessions(SessionRepository rows, Secrets secrets, SecurityProperties settings, Clock clock) {
        return new Sessions(rows, secrets, settings, clock);
    }

    @Bean
    Logins logins(
            UserRepository users,
            SessionRepository sessionRows,
            Sessions sessions,
            Passwords passwords,
            LoginThrottle throttle,
            Transactions transactions,
            Clock clock) {
        return new Logins(users, sessionRows, sessions, passwords, throttle, transactions, clock);
    }

    @Bean
    ApiTokens apiTokens(JdbcClient jdbc, Secrets secrets, Clock clock) {
        return new ApiTokens(new ApiTokenRepository(jdbc), secrets, clock);
    }

    @Bean
    AuditLog auditLog(JdbcClient jdbc, Clock clock) {
        return new AuditLog(new AuditRepository(jdbc), clock);
    }

    @Bean
    AnonymousCalls anonymousCalls(Clock clock) {
        return new AnonymousCalls(clock);
    }

    @Bean
    Setup setup(UserRepository users, Users accounts, Secrets secrets, LoginThrottle throttle, Clock clock) {
        SetupCode code = new SetupCode(secrets, clock, SecurityConfiguration::announce);
        return new Setup(users, accounts, code, throttle);
    }

    @Bean
    FirstStart firstStart(
            FirstStartProperties settings,
            UserRepository users,
            ApiTokens tokens,
            Setup setup,
            Passwords passwords,
            Secrets secrets,
            Transactions transactions,
            Clock clock) {
        return new FirstStart(settings, users, tokens, setup, passwords, secrets, transactions, clock);
    }

    private static void announce(String code) {
        log.atInfo()
                .addKeyValue("code", code)
                .addKeyValue("minutes", SetupCode.LIFETIME.toMinutes())
                .log("there is no user yet: open the console and enter the set-up code " + code);
    }
}
