package io.orth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
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
        assertThat(new String(Json.write(Reply.lean(new PushReply(List.of()))), UTF_8))
                .isEqualTo("{\"code\":200,\"content\":{\"messages\":[]}}");
        assertThat(new String(Json.write(Reply.fail("no")), UTF_8)).isEqualTo("{\"code\":500,\"msg\":\"no\"}");
    }

    @Test
    void readsAnyFieldAsJsonText() {
        JsonObject read = json("{\"a\":{\"b\":[1,null,\"ä\"]},\"c\":\"x\",\"d\":true,\"e\":null}");

        assertThat(read.json("a")).isEqualTo("{\"b\":[1,null,\"ä\"]}");
        assertThat(read.json("c")).isEqualTo("\"x\"");
        assertThat(read.json("d")).isEqualTo("true");
        assertThat(read.json("e")).isNull();
        assertThat(read.json("f")).isNull();
    }

    @Test
    void aFieldOfTheWrongTypeIsNamed() {
        assertRejected("{\"logId\":{}}", "'logId' must be a whole number");
        assertRejected("{\"logId\":1.5}", "'logId' must be a whole number");
        assertRejected("{\"logId\":1e999}", "'logId' must be a whole number");
        assertRejected("{\"logId\":\"12x\"}", "'logId' must be a whole number");
        assertRejected("{\"logId\":1}", "'handleCode' is missing");
        assertRejected("{\"logId\":1,\"handleCode\":99999999999}", "'handleCode' must be a 32-bit number");
        assertRejected("{\"logId\":1,\"handleCode\":200,\"handleMsg\":[]}", "'handleMsg' must be text");
    }

    @Test
    void rejectsBrokenText() {
        assertRejected("", "not valid JSON");
        assertRejected("{\"logId\":1", "not valid JSON");
        assertRejected("[]", "the message must be a JSON object");
        assertRejected("{\"logId\":1,\"logId\":2,\"handleCode\":200}", "not valid JSON");
        assertRejected("{\"logId\":null,\"logId\":2,\"handleCode\":200}", "not valid JSON");
        assertRejected("[".repeat(100_000), "not valid JSON");
        assertRejected("\u00ac\u00ed\u0000\u0005", "not valid JSON");
        assertRejected("{\"logId\":" + "9".repeat(5_000) + "}", "not valid JSON");
    }

    @Test
    @Tag("must-pipelines")
    void rejectsTaskMessagesByField() {
        assertThatThrownBy(() -> TaskStepsReply.from(json("""
                        {"items":[{"taskId":1,"verdict":"RECORDED"}]}""")))
                .hasMessage("'verdict' is 'RECORDED', which nobody knows");
        assertThatThrownBy(() -> ClaimedTask.from(json("""
                        {"taskId":1,"rootJobId":1}"""))).hasMessage("'attempt' is missing");
        assertThatThrownBy(() -> ClaimedTask.from(json("""
                        {"taskId":1,"attempt":1,"rootJobId":1,"pipeline":"p","stage":"s",
                         "targetType":"t","targetId":"1","content":[1]}"""))).hasMessage("'content' must be an array of texts");
        assertThatThrownBy(() -> TaskOutcome.from(json("""
                        {"error":{"message":"no code"}}"""))).hasMessage("'code' is missing");
    }

    private static JsonObject json(String text) {
        return Json.readObject(text.getBytes(UTF_8));
    }

    @Test
    void rejectsNonPositiveLogId() {
        assertThatThrownBy(
                        () -> TriggerRequest.from(Json.readObject("{\"logId\":-4,\"logDateTime\":1}".getBytes(UTF_8))))
                .hasMessage("'logId' must be positive");
    }

    @Test
    void aDeclaredJobThatCannotBeReadDoesNotSpoilTheOthers() {
        DeclaredJobs read = declared("""
                [{"name":"good","handler":"h","color":"red"},{"name":"bad","handler":"h","maxAttempts":"many"},
                 {"name":{},"handler":"h"},{"name":"worse","handler":"h","schedule":[]}]""");

        assertThat(read.jobs()).extracting(DeclaredJob::name).containsExactly("good");
        assertThat(read.unreadable())
                .containsExactly(
                        new DeclaredJobs.Refused("bad", "'maxAttempts' must be a whole number"),
                        new DeclaredJobs.Refused(null, "'name' must be text"),
                        new DeclaredJobs.Refused("worse", "'schedule' must be a JSON object"));
    }

    @Test
    void rejectsTooManyDeclaredJobs() {
        String job = "{\"name\":\"n\",\"handler\":\"h\"}";
        String many = "[" + (job + ",").repeat(DeclaredJobs.MOST) + job + "]";

        assertThatThrownBy(() -> declared(many))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("'jobs' must be at most 1000");
    }

    @Test
    void reportsUnreadableTransition() {
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

    /** Current receivers read messages of later versions: more fields, and the line's place in the order. */
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

    @Test
    void reportsUnreadableWorkMessages() {
        assertNoWork("{}", "'instanceId' is missing");
        assertNoWork("{\"instanceId\":\"i\"}", "'queue' is missing");
        assertNoWork("{\"instanceId\":\"i\",\"queue\":\" \"}", "'queue' is missing");
        assertNoWork("{\"instanceId\":\"i\",\"queue\":\"q\"}", "'claim' is missing");
        assertNoWork(work("\"slots\":\"many\""), "'slots' must be a whole number");
        assertNoWork(work("\"slots\":99999999999"), "'slots' must be a 32-bit number");
        assertNoWork(work("\"waitMillis\":1.5"), "'waitMillis' must be a whole number");
        assertNoWork(work("\"results\":{}"), "'results' must be a JSON array");
        assertNoWork(work("\"results\":[1]"), "each item of 'results' must be a JSON object");
        assertNoWork(work("\"results\":[{\"id\":1}]"), "'logId' is missing");
        assertNoWork(work("\"results\":[{\"id\":1,\"logId\":1}]"), "'code' is missing");
        assertNoWork(
                work("\"results\":[{\"id\":1,\"logId\":1,\"code\":0,\"forGood\":\"yes\"}]"),
                "'forGood' must be true or false");
        assertNoWork(
                work("\"results\":[{\"id\":1,\"logId\":1,\"code\":0,\"retryAfterMillis\":[]}]"),
                "'retryAfterMillis' must be a whole number");
    }

    @Test
    void reportsUnreadableMessages() {
        assertNoMessages("{\"messages\":{}}", "'messages' must be a JSON array");
        assertNoMessages("{\"refused\":[\"1\"]}", "'refused' must be an array of whole numbers");
        assertNoMessages("{\"messages\":[{}]}", "'id' is missing");
        assertNoMessages("{\"messages\":[{\"id\":1,\"attempt\":1,\"maxAttempts\":1}]}", "'logDateTime' is missing");
        String message = "{\"id\":1,\"attempt\":1,\"maxAttempts\":1,\"logDateTime\":1,%s}";
        assertNoMessages(
                "{\"messages\":[%s]}".formatted(message.formatted("\"logId\":{}")), "'logId' must be a whole number");
        assertNoMessages(
                "{\"messages\":[%s]}".formatted(message.formatted("\"payload\":{}")), "'payload' must be text");
        assertNoMessages(
                "{\"messages\":[%s]}".formatted(message.formatted("\"metadata\":[]")),
                "'metadata' must be a JSON object");
        assertNoMessages(
                "{\"messages\":[%s]}".formatted(message.formatted("\"metadata\":{\"a\":{}}")), "'a' must be text");
    }

    @Test
    void ignoresUnknownFieldsOfWorkReply() {
        WorkReply reply = WorkReply.from(Json.readObject(
                "{\"colour\":{},\"messages\":[{\"id\":1,\"attempt\":1,\"maxAttempts\":3,\"logId\":9,\"logDateTime\":8,\"shape\":[]}]}"
                        .getBytes(UTF_8)));

        assertThat(reply.refused()).isEmpty();
        assertThat(reply.messages()).containsExactly(new ClaimedMessage(1, 1, 3, 9, 8, "", 0, Map.of(), null));
    }

    private static String work(String fields) {
        return "{\"instanceId\":\"i\",\"queue\":\"q\",\"claim\":\"c\",%s}".formatted(fields);
    }

    private static void assertNoWork(String json, String message) {
        assertThatThrownBy(() -> WorkRequest.from(Json.readObject(json.getBytes(UTF_8))))
                .isInstanceOf(WireFormatException.class)
                .hasMessageStartingWith(message);
    }

    private static void assertNoMessages(String json, String message) {
        assertThatThrownBy(() -> WorkReply.from(Json.readObject(json.getBytes(UTF_8))))
                .isInstanceOf(WireFormatException.class)
                .hasMessageStartingWith(message);
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

    private static void assertRejected(String json, String message) {
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
