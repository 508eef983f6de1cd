package io.orth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HostileJsonTest {

    @Test
    void numbersMayArriveAsDigitsInAString() {
        CallbackItem item = callback("{\"logId\":\"12\",\"logDateTim\":\"34\",\"handleCode\":\"200\"}");

        assertThat(item).isEqualTo(new CallbackItem(12, 34, 200, null, null));
    }

    @Test
    void theOldestGenerationsResultIsUnderstood() {
        CallbackItem item =
                callback("{\"logId\":12,\"logDateTime\":34,\"executeResult\":{\"code\":500,\"msg\":\"no\"}}");

        assertThat(item).isEqualTo(new CallbackItem(12, 34, 500, "no", null));
    }

    @Test
    void aReplysPayloadIsReadUnderEitherName() {
        assertThat(reply("{\"code\":200,\"content\":\"a\"}").payload()).isEqualTo("a");
        assertThat(reply("{\"code\":200,\"data\":\"b\"}").payload()).isEqualTo("b");
        assertThat(new String(Json.write(Reply.fail("no")), UTF_8)).isEqualTo("{\"code\":500,\"msg\":\"no\"}");
    }

    @Test
    void aFieldOfTheWrongTypeIsNamed() {
        assertRefused("{\"logId\":{}}", "'logId' must be a whole number");
        assertRefused("{\"logId\":1.5}", "'logId' must be a whole number");
        assertRefused("{\"logId\":1e999}", "'logId' must be a whole number");
        assertRefused("{\"logId\":\"12x\"}", "'logId' must be a whole number");
        assertRefused("{\"logId\":1}", "'handleCode' is missing");
        assertRefused("{\"logId\":1,\"handleCode\":99999999999}", "'handleCode' must be a 32-bit number");
        assertRefused("{\"logId\":1,\"handleCode\":200,\"handleMsg\":[]}", "'handleMsg' must be text");
    }

    @Test
    void brokenTextIsRefused() {
        assertRefused("", "not valid JSON");
        assertRefused("{\"logId\":1", "not valid JSON");
        assertRefused("[]", "the message must be a JSON object");
        assertRefused("{\"logId\":1,\"logId\":2,\"handleCode\":200}", "not valid JSON");
        assertRefused("[".repeat(100_000), "not valid JSON");
        assertRefused("\u00ac\u00ed\u0000\u0005", "not valid JSON");
        assertRefused("{\"logId\":" + "9".repeat(5_000) + "}", "not valid JSON");
    }

    @Test
    void aNonPositiveLogIdIsRefused() {
        assertThatThrownBy(
                        () -> TriggerRequest.from(Json.readObject("{\"logId\":-4,\"logDateTime\":1}".getBytes(UTF_8))))
                .hasMessage("'logId' must be positive");
    }

    @Test
    void aDeclaredJobThatCannotBeReadDoesNotSpoilTheOthers() {
        DeclaredJobs read = declared("""
                [{"name":"good","handler":"h","color":"red"},{"name":"bad","handler":"h","retries":"many"},
                 {"name":{},"handler":"h"},{"name":"worse","handler":"h","schedule":[]}]""");

        assertThat(read.jobs()).extracting(DeclaredJob::name).containsExactly("good");
        assertThat(read.unreadable())
                .containsExactly(
                        new DeclaredJobs.Refused("bad", "'retries' must be a whole number"),
                        new DeclaredJobs.Refused(null, "'name' must be text"),
                        new DeclaredJobs.Refused("worse", "'schedule' must be a JSON object"));
    }

    @Test
    void tooManyDeclaredJobsAreRefused() {
        String job = "{\"name\":\"n\",\"handler\":\"h\"}";
        String many = "[" + (job + ",").repeat(DeclaredJobs.MOST) + job + "]";

        assertThatThrownBy(() -> declared(many))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("'jobs' must be at most 1000");
    }

    @Test
    void aTransitionThatCannotBeReadSaysWhy() {
        String rest = "\"to\":\"A\",\"at\":\"2026-05-28T20:26:40Z\",\"cause\":\"C\"";
        assertNoTransition("{}", "'entity' is missing");
        assertNoTransition("{\"entity\":\"RUN\"}", "'entityId' is missing");
        assertNoTransition("{\"entity\":\"RUN\",\"entityId\":[],\"sequence\":1}", "'entityId' must be a whole number");
        assertNoTransition(
                "{\"entity\":\"RUN\",\"entityId\":\"1\",\"sequence\":99999999999,%s}".formatted(rest),
                "'sequence' must be a 32-bit number");
        assertNoTransition(transition("\"sequence\":0," + rest), "'sequence' must be positive");
        assertNoTransition(transition("\"sequence\":1,\"to\":\"A\",\"cause\":\"C\""), "'at' is missing");
        assertNoTransition(
                transition("\"sequence\":1,\"to\":\"A\",\"at\":\"yesterday\",\"cause\":\"C\""),
                "'at' must be an instant");
        assertNoTransition(transition("\"sequence\":1,\"work\":7," + rest), "'work' must be a JSON object");
        assertNoTransition(
                transition("\"sequence\":1,\"work\":{\"jobId\":\"x\"}," + rest), "'jobId' must be a whole number");
        assertNoTransition(
                transition("\"sequence\":1,\"work\":{\"scheduleTime\":\"x\"}," + rest),
                "'scheduleTime' must be an instant");
        assertNoTransition(transition("\"sequence\":1,\"writer\":{}," + rest), "'node' is missing");
        assertNoTransition(transition("\"sequence\":1,\"executor\":{}," + rest), "'id' is missing");
    }

    /** Receivers of today read what later versions tell: more fields, and the line's place in the order. */
    @Test
    void aTransitionsUnknownFieldsAreSkipped() {
        StateTransition read = StateTransition.from(Json.readObject(
                transition("\"id\":\"5.0\",\"colour\":{\"red\":[1]},\"sequence\":2,\"from\":\"A\",\"to\":\"B\","
                                + "\"at\":\"2026-05-28T20:26:40Z\",\"cause\":\"C\"")
                        .getBytes(UTF_8)));

        assertThat(read.sequence()).isEqualTo(2);
        assertThat(read.work()).isEqualTo(StateTransition.Work.UNKNOWN);
        assertThat(read.writer()).isNull();
        assertThat(read.executor()).isNull();
    }

    private static String transition(String fields) {
        return "{\"entity\":\"RUN\",\"entityId\":\"1\",%s}".formatted(fields);
    }

    private static void assertNoTransition(String json, String message) {
        assertThatThrownBy(() -> StateTransition.from(Json.readObject(json.getBytes(UTF_8))))
                .isInstanceOf(WireFormatException.class)
                .hasMessageStartingWith(message);
    }

    private static DeclaredJobs declared(String jobs) {
        String json = "{\"registryKey\":\"g\",\"instanceId\":\"i\",\"hash\":\"4b\",\"jobs\":%s}".formatted(jobs);
        return DeclaredJobs.from(Json.readObject(json.getBytes(UTF_8)));
    }

    private static void assertRefused(String json, String message) {
        assertThatThrownBy(() -> callback(json))
                .isInstanceOf(WireFormatException.class)
                .hasMessageStartingWith(message);
    }

    private static CallbackItem callback(String json) {
        return CallbackItem.from(Json.readObject(json.getBytes(UTF_8)));
    }

    private static Reply reply(String json) {
        return Reply.from(Json.readObject(json.getBytes(UTF_8)));
    }
}
