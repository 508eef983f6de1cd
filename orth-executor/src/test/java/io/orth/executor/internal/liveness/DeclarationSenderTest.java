package io.orth.executor.internal.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.Json;
import io.orth.protocol.RegistrationReply;
import io.orth.protocol.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeclarationSenderTest {

    private static final DeclaredJobs DECLARED =
            new DeclaredJobs("tests", "me", List.of(new DeclaredJob("job", "h", "", null, DeclaredJob.Rules.DEFAULT)));

    private final List<String> posts = new ArrayList<>();
    private Outcome answer =
            new Outcome.Accepted(Json.readObject(Json.write(Reply.ok(new DeclaredJobs.Answer(List.of())))));
    private final DeclarationSender sender = new DeclarationSender(this::post, DECLARED);

    @Test
    void sendsOncePerRequest() throws Exception {
        sender.run();
        assertThat(posts).isEmpty();

        assertThat(sender.answered(RegistrationReply.ok(List.of(), true))).isTrue();
        sender.run();
        sender.run();
        assertThat(posts).containsExactly(AdminPaths.DECLARATIONS);

        assertThat(sender.answered(RegistrationReply.ok(List.of(), false))).isFalse();
        assertThat(sender.answered(RegistrationReply.ok(List.of()))).isFalse();
        sender.run();
        assertThat(posts).hasSize(1);
    }

    @Test
    void retriesUntilAnAdminAccepts() throws Exception {
        Outcome accepted = answer;
        sender.answered(RegistrationReply.ok(List.of(), true));
        Duration longest = Duration.ZERO;
        for (Outcome bad : List.of(
                new Outcome.Refused("told to refuse"), new Outcome.Unreachable("away"), new Outcome.Refused("again"))) {
            answer = bad;
            Duration rest = sender.run();
            assertThat(rest).isBetween(longest.plusMillis(1), Duration.ofSeconds(5));
            longest = rest;
        }
        assertThat(sender.answered(RegistrationReply.ok(List.of(), true)))
                .as("has to rest")
                .isFalse();

        answer = accepted;
        assertThat(sender.run()).isGreaterThan(Duration.ofHours(1));

        assertThat(posts).hasSize(4);
        sender.run();
        assertThat(posts).hasSize(4);
    }

    @Test
    void aResponseThatCannotBeReadEndsNothing() throws Exception {
        answer = new Outcome.Accepted();
        sender.answered(RegistrationReply.ok(List.of(), true));
        sender.run();

        assertThat(sender.answered(RegistrationReply.ok(List.of(), true))).isTrue();
        sender.run();

        assertThat(posts).hasSize(2);
    }

    private Outcome post(String path, byte[] body) {
        posts.add(path);
        assertThat(DeclaredJobs.from(Json.readObject(body))).isEqualTo(DECLARED);
        return answer;
    }
}
