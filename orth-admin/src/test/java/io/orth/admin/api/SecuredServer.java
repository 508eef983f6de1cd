package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.security.ApiTokens;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import io.orth.admin.security.SecurityFeature;
import io.orth.admin.security.User;
import io.orth.admin.security.Users;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** An admin with nothing but its edge, on a port of its own, with one user of each role. */
final class SecuredServer implements BeforeAllCallback, AfterAllCallback {

    static final String PASSWORD = "correct horse battery";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({
        ApiSecurity.class,
        ConsoleFiles.class,
        SessionCookie.class,
        StrictJsonConfiguration.class,
        ProbeApi.class,
        AuditApi.class,
        ApiArguments.class,
        ProblemHandler.class,
        ProblemPage.class,
        SessionApi.class,
        SetupApi.class,
        TokensApi.class,
        TomcatConfiguration.class,
        TraceIdFilter.class,
        UsersApi.class
    })
    static class Application {

        @Bean
        Transactions transactions(PlatformTransactionManager manager) {
            return new Transactions(new TransactionTemplate(manager));
        }
    }

    final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final TestDatabase db;
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private boolean withUsers = true;
    private ConfigurableApplicationContext context;

    SecuredServer(TestDatabase db) {
        this.db = db;
        settings.put("server.port", 0);
        settings.put("server.address", "127.0.0.1");
        settings.put("spring.flyway.enabled", false);
        settings.put("orth.security.password-strength", 10);
        settings.put("management.endpoints.web.exposure.include", "*");
        settings.put("management.endpoint.health.validate-group-membership", false);
    }

    SecuredServer with(String key, Object value) {
        settings.put(key, value);
        return this;
    }

    SecuredServer withoutUsers() {
        withUsers = false;
        return this;
    }

    /** One server for all test classes that change nothing about it; each should start with {@link #quiet()}. */
    static final class Shared implements BeforeAllCallback {

        private record Running(TestDatabase db, SecuredServer server, ExtensionContext context)
                implements AutoCloseable {

            static Running start(ExtensionContext context) {
                TestDatabase db = new TestDatabase();
                db.beforeAll(context);
                SecuredServer server = new SecuredServer(db);
                server.beforeAll(context);
                return new Running(db, server, context);
            }

            @Override
            public void close() {
                server.stop();
                db.afterAll(context);
            }
        }

        private SecuredServer server;

        @Override
        public void beforeAll(ExtensionContext context) {
            server = context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(Shared.class))
                    .computeIfAbsent(Shared.class, key -> Running.start(context), Running.class)
                    .server();
        }

        SecuredServer get() {
            server.quiet();
            return server;
        }
    }

    /** Advances time until earlier attempts no longer count. */
    void quiet() {
        clock.advance(Duration.ofHours(2));
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        start();
        if (withUsers) {
            for (Role role : Role.values()) {
                user(name(role), role);
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext test) {
        stop();
    }

    void start() {
        SpringApplication application = new SpringApplication(Application.class, SecurityFeature.configuration());
        application.addInitializers(starting -> {
            GenericApplicationContext beans = (GenericApplicationContext) starting;
            beans.registerBean(DataSource.class, db::dataSource);
            beans.registerBean(Clock.class, () -> clock);
            beans.registerBean(Ticker.class, Ticker::system);
        });
        context = application.run(settings.entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new));
    }

    void stop() {
        context.close();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    RequestMappingHandlerMapping controllers() {
        return context.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
    }

    JdbcClient jdbc() {
        return JdbcClient.create(db.dataSource());
    }

    User user(String name, Role role) {
        return bean(Users.class).create(name, PASSWORD, role);
    }

    static String name(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    String token(Role role, Instant expiresAt) {
        long user = jdbc().sql("select id from orth_user where name = ?")
                .param(name(role))
                .query(Long.class)
                .single();
        Principal owner = new Principal(user, name(role), role, Principal.Kind.USER);
        return bean(ApiTokens.class)
                .create(owner, new ApiTokens.Draft("test", role, expiresAt))
                .token();
    }

    URI url() {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return URI.create("http://127.0.0.1:" + port);
    }

    SecuredClient anonymous() {
        return new SecuredClient(url());
    }

    /** A user that opened the console and logged in. */
    SecuredClient as(Role role) {
        return as(name(role));
    }

    SecuredClient as(String user) {
        SecuredClient client = anonymous();
        client.get("/api/setup");
        SecuredClient.Answer answer = client.login(user, PASSWORD);
        if (answer.status() != 200) {
            throw new IllegalStateException("no login: " + answer.body());
        }
        return client;
    }

    SecuredClient program(Role role) {
        return anonymous().bearer(token(role, null));
    }
}
