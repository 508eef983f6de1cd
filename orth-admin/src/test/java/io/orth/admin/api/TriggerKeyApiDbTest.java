package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller that does not know what became of its trigger asks again. */
@Tag("must-kernel")
class TriggerKeyApiDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private SecuredClient api;
    private String name;
    private String job;

    @BeforeEach
    void setUp(TestInfo test) {
        api = admin.api();
        name = test.getTestMethod().orElseThrow().getName() + System.nanoTime();
        String group = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(name))
                .json()
                .path("id")
                .asString();
        job = job(group);
    }

    private String job(String group) {
        return api.post("/api/jobs", "{\"name\":\"%s\",\"groupId\":\"%s\",\"handler\":\"h\"}".formatted(name, group))
                .header("Location");
    }

    @Test
    void theSameKeyIsTheSameRun() {
        Answer first = trigger("k:" + name);
        Answer again = trigger("k:" + name);
        Answer other = trigger("k2:" + name);

        assertThat(first.status()).isEqualTo(202);
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(other.body()).isNotEqualTo(first.body());
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void withoutAKeyEachTriggerIsARun() {
        assertThat(api.post(job + "/trigger", null).body())
                .isNotEqualTo(api.post(job + "/trigger", null).body());
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void concurrentTriggersWithOneKeyStartOneRun() throws Exception {
        Set<String> bodies = ConcurrentHashMap.newKeySet();
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Boolean>> calls = IntStream.range(0, 8)
                    .<Callable<Boolean>>mapToObj(
                            i -> () -> bodies.add(trigger("k:" + name).body()))
                    .toList();
            for (Future<Boolean> call : callers.invokeAll(calls)) {
                call.get();
            }
        } finally {
            callers.shutdownNow();
        }

        assertThat(bodies).hasSize(1);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void rejectsKeyOfAnotherCall() {
        trigger("k:" + name);
        SecuredClient keyed = api.header("Idempotency-Key", "k:" + name);
        String push = "/api/queues/%s/messages".formatted(name);

        assertThat(keyed.post(push, "{\"payload\":\"x\"}").code()).isEqualTo("CONFLICT");
        assertThat(api.header("Idempotency-Key", "p:" + name)
                        .post(push, "{\"payload\":\"x\"}")
                        .status())
                .isEqualTo(201);
        assertThat(trigger("p:" + name).code()).isEqualTo("CONFLICT");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void rejectsSameKeyWithAnotherParameter() {
        Answer first = trigger("k:" + name, "{\"param\":\"a\"}");

        assertThat(trigger("k:" + name, "{\"param\":\"a\"}").body()).isEqualTo(first.body());
        Answer other = trigger("k:" + name, "{\"param\":\"b\"}");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.code()).isEqualTo("CONFLICT");
        assertThat(other.body())
                .contains("was used with another parameter: it became run "
                        + first.json().path("runId").asString());
        assertThat(trigger("k:" + name, "{}").status())
                .as("the job's own parameter is another")
                .isEqualTo(409);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void editOfJobDoesNotChangeRepeatedReply() {
        Answer first = trigger("k:" + name);
        admin.jdbc()
                .sql("update orth_job set param = 'new', updated_at = now() where id = :id")
                .param("id", Integer.parseInt(job.substring(job.lastIndexOf('/') + 1)))
                .update();

        assertThat(trigger("k:" + name).body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"no key", "a/b", "'; drop table orth_push --", ""})
    void rejectsBadKey(String key) {
        assertThat(trigger(key).status()).isEqualTo(400);
        assertThat(runs()).isZero();
    }

    private Answer trigger(String key) {
        return trigger(key, "{}");
    }

    private Answer trigger(String key, String body) {
        return api.header("Idempotency-Key", key).post(job + "/trigger", body);
    }

    private int runs() {
        String id = job.substring(job.lastIndexOf('/') + 1);
        return api.get("/api/runs?jobId=" + id).json().path("items").size();
    }
}
