package io.orth.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.orth.client.OrthClient;
import io.orth.client.OrthQueues;
import io.orth.executor.RunResult;
import io.orth.executor.test.TestRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

class NewsletterJobsTest {

    private static final String PARAM = "{\"subject\": \"Hello\", \"readers\": [\"ann\"]}";

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    @Test
    void pushesOneMailPerReader() throws IOException {
        AtomicReference<String> pushed = new AtomicReference<>();
        HttpServer admin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        admin.createContext("/api/queues/emails/messages/bulk", exchange -> {
            pushed.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] answer = "{\"items\":[{\"id\":\"1\",\"duplicate\":false}]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        admin.start();
        try {
            OrthClient client = OrthClient.builder()
                    .admins("http://127.0.0.1:" + admin.getAddress().getPort())
                    .token("token")
                    .build();
            beans.addBean("queues", client.queues());

            assertThat(run()).isEqualTo(RunResult.success("1 letters are on their way"));
            assertThat(pushed.get())
                    .isEqualTo(
                            "{\"messages\":[{\"payload\":\"{\\\"to\\\":\\\"ann\\\",\\\"subject\\\":\\\"Hello\\\"}\",\"lane\":\"LOW\",\"uniqueKey\":\"Hello:ann\"}]}");
        } finally {
            admin.stop(0);
        }
    }

    @Test
    void failsWithoutQueues() {
        assertThat(run()).isInstanceOf(RunResult.fail("").getClass());
    }

    private RunResult run() {
        return TestRun.of(new NewsletterJobs(beans.getBeanProvider(OrthQueues.class)), "newsletter")
                .param(PARAM)
                .execute()
                .result();
    }
}
