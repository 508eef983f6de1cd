package io.orth.admin.api;

import io.orth.admin.boot.OrthAdmin;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.protocol.Headers;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.json.JsonMapper;

/** The whole admin on a port of its own; the first test class that needs it starts it, the end of the JVM stops it. */
final class AdminServer implements BeforeAllCallback {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(AdminServer.class);

    private static final String CREDENTIALS = "credentials.json";

    private Running running;

    /** A started admin. */
    record Running(ConfigurableApplicationContext context, JdbcClient jdbc, String apiToken) implements AutoCloseable {

        URI url() {
            int port = ((WebServerApplicationContext) context).getWebServer().getPort();
            return URI.create("http://127.0.0.1:" + port);
        }

        SecuredClient anonymous() {
            return new SecuredClient(url()).header("Origin", null);
        }

        /** A program with the administrator's token. */
        SecuredClient api() {
            return anonymous().bearer(apiToken);
        }

        /** An executor that shows {@code token}. */
        SecuredClient executor(String token) {
            return anonymous().header(Headers.ACCESS_TOKEN, token);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        running = test.getRoot().getStore(NAMESPACE).computeIfAbsent(Running.class, type -> start(test), Running.class);
    }

    private static Running start(ExtensionContext test) {
        TestDatabase db = new TestDatabase();
        db.beforeAll(test);
        return start(db);
    }

    /** A server that no other test uses, with these settings like {@code --key=value}; its caller closes it. */
    static Running start(TestDatabase db, String... settings) {
        return startOn(db, db.url(), settings);
    }

    /** The same on another database of the same server. */
    static Running startOn(TestDatabase db, String url, String... settings) {
        try {
            Path directory = Files.createTempDirectory("orth-admin-test");
            List<String> arguments = new ArrayList<>(List.of(
                    "--orth.database.url=" + url,
                    "--orth.database.user=" + db.user(),
                    "--orth.database.password=" + db.password()));
            Collections.addAll(arguments, settings);
            ConfigurableApplicationContext context = run(directory, arguments);
            if (!context.getBeansOfType(EmbeddedPostgres.class).isEmpty()) {
                throw new IllegalStateException("the database that was named is not the one that is used");
            }
            DataSource database =
                    url.equals(db.url()) ? db.dataSource() : new DriverManagerDataSource(url, db.user(), db.password());
            return new Running(context, JdbcClient.create(database), token(directory));
        } catch (IOException e) {
            throw new IllegalStateException("no directory for the admin's files", e);
        }
    }

    /**
     * One with an embedded database in a data directory.
     *
     * @param programs where the database's programs are unpacked
     */
    static Running startEmbedded(Path directory, Path programs) {
        ConfigurableApplicationContext context = run(directory, List.of("--orth.database.programs-dir=" + programs));
        try {
            return new Running(context, context.getBean(JdbcClient.class), token(directory));
        } catch (IOException e) {
            throw new IllegalStateException("the admin wrote no credentials", e);
        }
    }

    private static ConfigurableApplicationContext run(Path directory, List<String> settings) {
        SpringApplication application = new SpringApplication(OrthAdmin.class);
        application.addInitializers(
                starting -> starting.getBeanFactory().registerSingleton("onlyMainClasses", new OnlyMainClasses()));
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--orth.data-dir=" + directory,
                "--orth.credentials-file=" + directory.resolve(CREDENTIALS),
                "--orth.environment=test",
                "--orth.security.password-strength=10",
                "--logging.level.root=ERROR"));
        arguments.addAll(settings);
        return application.run(arguments.toArray(String[]::new));
    }

    private static String token(Path directory) throws IOException {
        return JsonMapper.builder()
                .build()
                .readTree(Files.readAllBytes(directory.resolve(CREDENTIALS)))
                .path("apiToken")
                .asString();
    }

    /** Keeps the configurations and controllers of other tests out of the scan. */
    private static final class OnlyMainClasses extends TypeExcludeFilter {

        @Override
        public boolean match(MetadataReader type, MetadataReaderFactory types) throws IOException {
            return type.getResource().getURL().getPath().contains("/test-classes/");
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OnlyMainClasses;
        }

        @Override
        public int hashCode() {
            return OnlyMainClasses.class.hashCode();
        }
    }

    Running running() {
        return running;
    }

    ConfigurableApplicationContext context() {
        return running.context();
    }

    JdbcClient jdbc() {
        return running.jdbc();
    }

    URI url() {
        return running.url();
    }

    String apiToken() {
        return running.apiToken();
    }

    /** A program with the administrator's token. */
    SecuredClient api() {
        return running.api();
    }

    /** An executor that shows {@code token}. */
    SecuredClient executor(String token) {
        return running.executor(token);
    }

    SecuredClient anonymous() {
        return running.anonymous();
    }

    long count(String table) {
        return jdbc().sql("select count(*) from " + table).query(Long.class).single();
    }
}
