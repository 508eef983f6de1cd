package io.orth.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.orth.client.OrthQueues;
import io.orth.client.TransactionalQueues;
import io.orth.testkit.TestDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** An application that pushes messages, with its own transactions and without. Runs on each supported Spring Boot. */
@Tag("must-queues")
@Timeout(120)
class ShopTest {

    @RegisterExtension
    static final TestDatabase db = TestDatabase.empty();

    record Letter(String to, int order) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement
    static class Shop {

        /** Every test's, so the application does not close it. */
        @Bean(destroyMethod = "")
        DataSource database() {
            return db.dataSource();
        }

        @Bean
        PlatformTransactionManager transactions(DataSource database) {
            return new JdbcTransactionManager(database);
        }

        @Bean
        Orders orders(DataSource database, TransactionalQueues queues) {
            return new Orders(new JdbcTemplate(database), queues);
        }
    }

    static class Orders {

        private final JdbcTemplate jdbc;
        private final TransactionalQueues queues;

        Orders(JdbcTemplate jdbc, TransactionalQueues queues) {
            this.jdbc = jdbc;
            this.queues = queues;
        }

        @Transactional
        public void place(int order, boolean fails) {
            queues.push("emails", new Letter("ann", order));
            jdbc.update("insert into orders values (?)", order);
            if (fails) {
                throw new IllegalStateException("no stock");
            }
        }
    }

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private HttpServer admin;
    private ConfigurableApplicationContext application;
    private JdbcTemplate jdbc;

    @BeforeEach
    void start() throws Exception {
        admin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        admin.createContext("/", exchange -> {
            calls.add("%s %s %s"
                    .formatted(
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Authorization"),
                            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            byte[] answer = "{\"id\":\"7\",\"duplicate\":false}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        admin.start();
        jdbc = new JdbcTemplate(db.dataSource());
        jdbc.execute("create table if not exists orders (id integer primary key)");
        jdbc.execute("create schema if not exists orth");
        jdbc.execute(
                "create table if not exists orth.orth_message_inbox (id bigint generated always as identity, queue text, messages jsonb)");
        jdbc.execute("truncate orders, orth.orth_message_inbox");
        application = SpringApplication.run(
                Shop.class,
                "--spring.main.web-application-type=none",
                "--spring.flyway.enabled=false",
                "--orth.executor.enabled=false",
                "--orth.client.admins=http://127.0.0.1:" + admin.getAddress().getPort(),
                "--orth.client.token=secret");
    }

    @AfterEach
    void stop() {
        application.close();
        admin.stop(0);
    }

    @Test
    void commitsPushesWithTheTransaction() {
        application.getBean(Orders.class).place(1, false);

        assertThat(orders()).containsExactly(1);
        assertThat(inbox()).containsExactly("emails {\"to\":\"ann\",\"order\":1}");
    }

    @Test
    void rollsBackPushesWithTheTransaction() {
        assertThatThrownBy(() -> application.getBean(Orders.class).place(1, true))
                .hasMessage("no stock");

        assertThat(orders()).isEmpty();
        assertThat(inbox()).isEmpty();
    }

    @Test
    void rejectsPushWithoutTransaction() {
        assertThatThrownBy(() ->
                        application.getBean(TransactionalQueues.class).push("emails", "hello"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("there is no transaction");
        assertThat(inbox()).isEmpty();
    }

    @Test
    void pushesThroughApiWithoutTransaction() {
        assertThat(application
                        .getBean(OrthQueues.class)
                        .push("emails", new Letter("ann", 1))
                        .id())
                .isEqualTo(7);

        assertThat(calls)
                .containsExactly("/api/queues/emails/messages Bearer secret"
                        + " {\"payload\":\"{\\\"to\\\":\\\"ann\\\",\\\"order\\\":1}\"}");
    }

    private List<Integer> orders() {
        return jdbc.queryForList("select id from orders", Integer.class);
    }

    private List<String> inbox() {
        return jdbc.queryForList(
                "select queue || ' ' || (messages -> 0 ->> 'payload') from orth.orth_message_inbox order by id",
                String.class);
    }
}
