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
