package io.orth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each message has one JSON form, written here in full, and reads back as itself. */
class GoldenMessagesTest {

    @Test
    void registration() {
        golden(
                new Registration(
                        "billing",
                        "http://10.0.0.5:9999/",
                        new Registration.Instance("b7e1", "app-1", 4242, "0.1.0", true)),
                Registration::from,
                """
                {"registryGroup":"EXECUTOR","registryKey":"billing","registryValue":"http://10.0.0.5:9999/",\
                "instance":{"id":"b7e1","host":"app-1","pid":4242,"version":"0.1.0","leftoversDelivered":true,\
                "draining":false}}""");
    }

    @Test
    void triggerRequest() {
        golden(trigger(1_780_000_000_000L), TriggerRequest::from, """
                {"jobId":7,"executorHandler":"close-day","executorParams":"{}","executorBlockStrategy":"SERIAL_EXECUTION",\
                "executorConcurrency":1,"executorTimeout":30,"logId":9007199254740991,"logDateTime":1780000000123,"glueType":"BEAN",\
                "glueUpdatetime":0,"broadcastIndex":0,"broadcastTotal":1,"scheduleTime":1780000000000,\
                "instanceId":"b7e1","dispatch":2,"traceId":"t-1"}""");
        TriggerRequest third = TriggerRequest.of(7, "h", 1, 2).attempt(3).build();
        assertThat(third.toJson()).containsEntry("attempt", 3);
        assertThat(TriggerRequest.from(Json.readObject(Json.write(third)))).isEqualTo(third);
    }

    @Test
    void triggerBatchAndItsReply() {
        golden(new TriggerBatch(List.of(trigger(null))), TriggerBatch::from, """
                {"triggers":[{"jobId":7,"executorHandler":"close-day","executorParams":"{}",\
                "executorBlockStrategy":"SERIAL_EXECUTION","executorConcurrency":1,"executorTimeout":30,"logId":9007199254740991,\
                "logDateTime":1780000000123,"glueType":"BEAN","glueUpdatetime":0,"broadcastIndex":0,"broadcastTotal":1,\
                "instanceId":"b7e1","dispatch":2,"traceId":"t-1"}]}""");
        golden(
                new TriggerBatchReply("b7e1", List.of(new TriggerBatchReply.Outcome(5, 500, "no such handler"))),
                TriggerBatchReply::from,
                """
                {"instanceId":"b7e1","outcomes":[{"logId":5,"code":500,"msg":"no such handler"}]}""");
    }

    @Test
    void callbackItem() {
        golden(new CallbackItem(5, 1_780_000_000_123L, 200, "done", "b7e1"), CallbackItem::from, """
                {"logId":5,"logDateTim":1780000000123,"handleCode":200,"handleMsg":"done","instanceId":"b7e1"}""");
        golden(new CallbackItem(5, 0, 500, "busy", "b7e1", false, 60_000L), CallbackItem::from, """
                {"logId":5,"logDateTim":0,"handleCode":500,"handleMsg":"busy","instanceId":"b7e1","retryAfterMillis":60000}""");
        golden(new CallbackItem(5, 0, 500, "broken", "b7e1", true, null), CallbackItem::from, """
                {"logId":5,"logDateTim":0,"handleCode":500,"handleMsg":"broken","instanceId":"b7e1","nonRetryable":true}""");
    }

    @Test
    void workAndItsReply() {
        golden(
                new WorkRequest(
                        "b7e1",
                        "emails",
                        1,
                        "c-17",
                        42,
                        41,
                        8,
                        3,
                        20_000,
                        List.of(
                                new MessageResult(5, 5, 200, null, false, null, 12),
                                new MessageResult(6, 9007199254740991L, 500, "no such address", true, null, 3),
                                new MessageResult(7, 11, 500, "busy", false, 60_000L, 4))),
                WorkRequest::from,
                """
                {"instanceId":"b7e1","queue":"emails","strand":1,"claim":"c-17","turn":42,"received":41,"slots":8,"held":3,\
                "waitMillis":20000,"results":[{"id":5,"logId":5,"code":200,"runMillis":12},\
                {"id":6,"logId":9007199254740991,"code":500,"text":"no such address","forGood":true,"runMillis":3},\
                {"id":7,"logId":11,"code":500,"text":"busy","retryAfterMillis":60000,"runMillis":4}]}""");
        golden(
                new WorkReply(
                        List.of(6L),
                        List.of(new ClaimedMessage(
                                8,
                                1,
                                3,
                                9007199254740991L,
                                1_780_000_000_123L,
                                "{}",
                                1_780_000_000_000L,
                                Map.of("tenant", "acme"),
                                "t-1"))),
                WorkReply::from,
                """
                {"refused":[6],"messages":[{"id":8,"attempt":1,"maxAttempts":3,"logId":9007199254740991,\
                "logDateTime":1780000000123,"payload":"{}","pushedAt":1780000000000,"metadata":{"tenant":"acme"},\
                "traceId":"t-1"}]}""");
    }

    @Test
    void pushAndItsReply() {
        golden(
                new PushRequest(
                        "emails",
                        "p-17",
                        List.of(
                                NewMessage.of("hello"),
                                new NewMessage(
                                        "{}",
                                        "HIGH",
                                        1_780_000_000_000L,
                                        null,
                                        "order-7",
                                        60_000L,
                                        "customer-3",
                                        5,
                                        new BackoffMillis(1_000L, 1.5, 60_000L, 0.2),
                                        Map.of("tenant", "acme"),
                                        "t-1"))),
                PushRequest::from,
                """
                {"queue":"emails","idempotencyKey":"p-17","messages":[{"payload":"hello"},{"payload":"{}","lane":"HIGH","dueAt":1780000000000,\
                "uniqueKey":"order-7","uniqueMillis":60000,"groupKey":"customer-3","maxAttempts":5,\
                "backoff":{"initialDelayMillis":1000,"multiplier":1.5,"maxDelayMillis":60000,"jitter":0.2},"metadata":{"tenant":"acme"},\
                "traceId":"t-1"}]}""");
        golden(
                new PushReply(List.of(new PushReply.Pushed(8, false), new PushReply.Pushed(5, true))),
                PushReply::from,
                """
                {"messages":[{"id":8},{"id":5,"duplicate":true}]}""");
    }

    @Test
    @Tag("must-kernel")
    void claimedMessagesCarryTasks() {
        ClaimedMessage message =
                new ClaimedMessage(7, 1, 3, 7, 1_780_000_000_123L, "{}", 1_780_000_000_000L, Map.of(), null);
        ClaimedTask task = new ClaimedTask(
                5,
                2,
                3,
                4,
                "hydrateAll",
                "topics",
                "hydrateTopic",
                "topic",
                "t-1",
                "{\"depth\":2}",
                Map.of("language", "en"),
                "{}",
                "{\"fast\":true}",
                "ann",
                "4bf92f3577b34da6a3ce929d0e0e4736",
                List.of("topic/t-1/en"));
        golden(new WorkReply(List.of(), List.of(message.with(task))), WorkReply::from, """
                {"refused":[],"messages":[{"id":7,"attempt":1,"maxAttempts":3,"logDateTime":1780000000123,"payload":"{}",\
                "pushedAt":1780000000000,"task":{"taskId":5,"attempt":2,"maxAttempts":3,"rootJobId":4,"pipeline":"hydrateAll",\
                "stage":"topics","handler":"hydrateTopic","targetType":"topic","targetId":"t-1","params":"{\\"depth\\":2}",\
                "meta":{"language":"en"},"createdBy":"ann","traceId":"4bf92f3577b34da6a3ce929d0e0e4736",\
                "content":["topic/t-1/en"]}}],"runs":[{"rootJobId":4,"scope":"{}","options":"{\\"fast\\":true}"}]}""");
    }

    @Test
    @Tag("must-pipelines")
    void taskContentAndStepsWithReplies() {
        golden(
                new TaskContent(
                        "b7e1",
                        List.of(
                                new TaskContent.Item(5, 9, "topic/t-1/en", 812, null),
                                new TaskContent.Item(5, 9, "topic/t-1/de", 0, "draft"))),
                TaskContent::from,
                """
                {"instanceId":"b7e1","items":[{"taskId":5,"logId":9,"ref":"topic/t-1/en","size":812},\
                {"taskId":5,"logId":9,"ref":"topic/t-1/de","size":0,"status":"draft"}]}""");
        golden(
                new TaskContentReply(List.of(new TaskContentReply.Item(5, "topic/t-1/en", TaskVerdict.KNOWN))),
                TaskContentReply::from,
                """
                {"items":[{"taskId":5,"ref":"topic/t-1/en","verdict":"known"}]}""");
        golden(new TaskSteps("b7e1", List.of(new TaskSteps.Item(5, 9, "{\"text\":\"asked\"}"))), TaskSteps::from, """
                {"instanceId":"b7e1","items":[{"taskId":5,"logId":9,"payload":"{\\"text\\":\\"asked\\"}"}]}""");
        golden(new TaskStepsReply(List.of(new TaskStepsReply.Item(5, TaskVerdict.FULL))), TaskStepsReply::from, """
                {"items":[{"taskId":5,"verdict":"full"}]}""");
    }

    @Test
    @Tag("must-kernel")
    void resultsCarryTaskOutcomes() {
        MessageResult done = new MessageResult(7, 7, 200, null, false, null, 40);
        MessageResult failed = new MessageResult(8, 9, 500, "busy", false, 60_000L, 7);
        TaskOutcome left = new TaskOutcome(
                "{\"words\":120}",
                List.of(
                        new TaskChild("topic", "t-1", "{}", Map.of("language", "en")),
                        new TaskChild("topic", "t-2", null, null)),
                null);
        TaskOutcome why = new TaskOutcome(null, List.of(), new TaskOutcome.Problem("RETRY_LATER", "busy", "at line 3"));
        golden(
                new WorkRequest("b7e1", "q", 0, "c", 1, 0, 0, 0, 0, List.of(done.with(left), failed.with(why))),
                WorkRequest::from,
                """
                {"instanceId":"b7e1","queue":"q","strand":0,"claim":"c","turn":1,"received":0,"slots":0,"held":0,"waitMillis":0,\
                "results":[{"id":7,"logId":7,"code":200,"runMillis":40,"task":{"result":"{\\"words\\":120}",\
                "children":[{"targetType":"topic","targetId":"t-1","params":"{}","meta":{"language":"en"}},\
                {"targetType":"topic","targetId":"t-2"}]}},\
                {"id":8,"logId":9,"code":500,"text":"busy","retryAfterMillis":60000,"runMillis":7,\
                "task":{"error":{"code":"RETRY_LATER","message":"busy","detail":"at line 3"}}}]}""");
    }

    @Test
    void beatReply() {
        golden(new BeatReply("b7e1"), BeatReply::from, """
                {"code":200,"instanceId":"b7e1"}""");
    }

    @Test
    void logByLineAndByByte() {
        golden(new LogRequest(5, 1_780_000_000_123L, 3), LogRequest::from, """
                {"logDateTim":1780000000123,"logId":5,"fromLineNum":3}""");
        golden(new LogReply(3, 4, "a\nb\n", false), LogReply::from, """
                {"fromLineNum":3,"toLineNum":4,"logContent":"a\\nb\\n","isEnd":false,"end":false}""");
        golden(new LogRangeRequest(5, 1_780_000_000_123L, 10, 4096), LogRangeRequest::from, """
                {"logId":5,"logDateTime":1780000000123,"from":10,"maxBytes":4096}""");
        golden(new LogRange(true, 10, 14, 14, "é\n\n"), LogRange::from, """
                {"exists":true,"from":10,"to":14,"size":14,"text":"é\\n\\n"}""");
        golden(new LogRange(true, 14, 14, 14, "").asEnd(), LogRange::from, """
                {"exists":true,"from":14,"to":14,"size":14,"text":"","end":true}""");
        golden(new LogRange(true, 0, 4, 4, "half").withProgress(50), LogRange::from, """
                {"exists":true,"from":0,"to":4,"size":4,"text":"half","progress":50}""");
    }

    @Test
    void knownRuns() {
        golden(new KnownRunsRequest(List.of(5L, 6L)), KnownRunsRequest::from, """
                {"logIds":[5,6]}""");
        golden(new KnownRuns("b7e1", List.of(new KnownRuns.Known(5, KnownRuns.State.RUNNING))), KnownRuns::from, """
                {"instanceId":"b7e1","runs":[{"logId":5,"state":"RUNNING"}]}""");
    }

    @Test
    void aFinishedRunIsKnownWithItsResult() {
        golden(
                new KnownRuns("b7e1", List.of(new KnownRuns.Known(5, KnownRuns.State.FINISHED, 500, "no disk"))),
                KnownRuns::from,
                """
                {"instanceId":"b7e1","runs":[{"logId":5,"state":"FINISHED","handleCode":500,"handleMsg":"no disk"}]}""");
    }

    @Test
    @Tag("must-kernel")
    void finishedRunsCarryRetryInstructions() {
        golden(
                new KnownRuns(
                        "b7e1",
                        List.of(
                                new KnownRuns.Known(5, KnownRuns.State.FINISHED, 500, "broken", false, true, null),
                                new KnownRuns.Known(6, KnownRuns.State.FINISHED, 500, "busy", false, false, 60_000L))),
                KnownRuns::from,
                """
                {"instanceId":"b7e1","runs":[\
                {"logId":5,"state":"FINISHED","handleCode":500,"handleMsg":"broken","nonRetryable":true},\
                {"logId":6,"state":"FINISHED","handleCode":500,"handleMsg":"busy","retryAfterMillis":60000}]}""");
    }

    @Test
    void unconfirmedResults() {
        golden(
                new KnownRuns("b7e1", List.of(new KnownRuns.Known(5, KnownRuns.State.FINISHED).asUnsent()), 7),
                KnownRuns::from,
                """
                {"instanceId":"b7e1","runs":[{"logId":5,"state":"FINISHED","unsent":true}],"unsentResults":7}""");
    }

    @Test
    void aTriggerWithSourceOfItsOwn() {
        TriggerRequest trigger = TriggerRequest.of(7, null, 5, 1_780_000_000_123L)
                .blockStrategy(BlockStrategy.CONCURRENT)
                .concurrency(4)
                .glue(new Glue("GLUE_SHELL", "echo hello", 1_770_000_000_000L))
                .shard(1, 3)
                .build();
        golden(trigger, TriggerRequest::from, """
                {"jobId":7,"executorParams":"","executorBlockStrategy":"CONCURRENT","executorConcurrency":4,\
                "executorTimeout":0,"logId":5,"logDateTime":1780000000123,"glueType":"GLUE_SHELL",\
                "glueSource":"echo hello","glueUpdatetime":1770000000000,"broadcastIndex":1,"broadcastTotal":3,\
                "dispatch":1}""");
    }

    @Test
    void heartbeatOfDrainingExecutorWithMetrics() {
        WorkerMetrics metrics = new WorkerMetrics(0.25, new WorkerMetrics.Ram(310, 120, 256), 3, 8, 1, 0.03);
        golden(
                new Registration(
                        "billing",
                        "http://10.0.0.5:9999/",
                        new Registration.Instance("b7e1", "app-1", 4242, "0.1.0", true, true, metrics)
                                .inZone("Europe/Berlin")
                                .acknowledging(List.of(5L, 9007199254740991L))),
                Registration::from,
                """
                {"registryGroup":"EXECUTOR","registryKey":"billing","registryValue":"http://10.0.0.5:9999/",\
                "instance":{"id":"b7e1","host":"app-1","pid":4242,"version":"0.1.0","leftoversDelivered":true,\
                "draining":true,"metrics":{"cpu":0.25,"ram":{"rss":310,"heapUsed":120,"heapTotal":256},\
                "running":3,"queued":8,"leakedThreads":1,"processCpu":0.03},"zone":"Europe/Berlin","revoked":[5,9007199254740991]}}""");
    }

    @Test
    void registrationReply() {
        golden(RegistrationReply.ok(List.of(5L)), RegistrationReply::from, """
                {"code":200,"revoked":[5]}""");
        golden(RegistrationReply.ok(List.of(), true), RegistrationReply::from, """
                {"code":200,"revoked":[],"declare":true}""");
        golden(RegistrationReply.ok(List.of(), false, "5f0c", null), RegistrationReply::from, """
                {"code":200,"revoked":[],"declare":false,"installationId":"5f0c"}""");
        golden(new RegistrationReply(Reply.ok(), null, null, null, null, null), RegistrationReply::from, """
                {"code":200}""");
        golden(
                RegistrationReply.ok(List.of(), null, "5f0c", HeartbeatRule.of(Duration.ofSeconds(2))),
                RegistrationReply::from,
                """
                {"code":200,"revoked":[],"installationId":"5f0c","heartbeatIntervalMillis":2000,\
                "heartbeatTimeoutMillis":6000}""");
        golden(RegistrationReply.ok(List.of()).of(3), RegistrationReply::from, """
                {"code":200,"revoked":[],"incarnation":3}""");
    }

    @Test
    void declaredJobsAndTheirAnswer() {
        DeclaredJob job = new DeclaredJob(
                "close day",
                "close-day",
                "{}",
                new DeclaredJob.Schedule("CRON", "0 0 3 * * ?", "Europe/Berlin", null),
                new DeclaredJob.Rules(
                        "DO_NOTHING",
                        "DISCARD",
                        "CLUSTER",
                        1,
                        30,
                        "FAILOVER",
                        3,
                        new BackoffMillis(5_000L, null, null, null)));
        golden(new DeclaredJobs("billing", "b7e1", "4bf5", List.of(job), List.of()), DeclaredJobs::from, """
                {"registryKey":"billing","instanceId":"b7e1","hash":"4bf5","jobs":[{"name":"close day",\
                "handler":"close-day","param":"{}","schedule":{"type":"CRON","cron":"0 0 3 * * ?",\
                "zone":"Europe/Berlin"},"misfire":"DO_NOTHING","blockStrategy":"DISCARD","blockScope":"CLUSTER","concurrency":1,\
                "timeoutSeconds":30,"routing":"FAILOVER","maxAttempts":3,\
                "backoff":{"initialDelayMillis":5000}}]}""");
        golden(new DeclaredJob("x", "h", "", null, DeclaredJob.Rules.DEFAULT), DeclaredJob::from, """
                {"name":"x","handler":"h","param":"","concurrency":1,"timeoutSeconds":0,"maxAttempts":1}""");
        golden(
                new DeclaredJobs.Answer(List.of(new DeclaredJobs.Refused("close day", "no such zone"))),
                DeclaredJobs.Answer::from,
                """
                {"refused":[{"name":"close day","msg":"no such zone"}]}""");
        golden(
                new Registration(
                        "billing",
                        "http://10.0.0.5:9999/",
                        new Registration.Instance("b7e1", "app-1", 4242, "0.1.0", true).declaring("4bf5")),
                Registration::from,
                """
                {"registryGroup":"EXECUTOR","registryKey":"billing","registryValue":"http://10.0.0.5:9999/",\
                "instance":{"id":"b7e1","host":"app-1","pid":4242,"version":"0.1.0","leftoversDelivered":true,\
                "draining":false,"declarations":"4bf5"}}""");
    }

    @Test
    void stateTransition() {
        StateTransition end = new StateTransition(
                "RUN",
                9_007_199_254_740_991L,
                3,
                "PENDING",
                "SUCCESS",
                Instant.parse("2026-05-28T20:26:40.123456Z"),
                1_234L,
                "CALLBACK",
                new StateTransition.Work(
                        7, "close day", "close-day", 3, Instant.parse("2026-05-28T20:26:38Z"), 9_007_199_254_740_990L),
                new StateTransition.Writer("admin-1:17:x3f", "admin-1", 17, "0.1.0", "orth-http-4"),
                new StateTransition.Executor(12, "b7e1", "app-1", 4242, "http://10.0.0.5:9999/"),
                "t-1");
        golden(end, StateTransition::from, """
                {"entity":"RUN","entityId":"9007199254740991","sequence":3,"from":"PENDING","to":"SUCCESS",\
                "at":"2026-05-28T20:26:40.123456Z","millisInFrom":1234,"cause":"CALLBACK","work":{"jobId":"7",\
                "jobName":"close day","handler":"close-day","groupId":"3","scheduleTime":"2026-05-28T20:26:38Z",\
                "rootId":"9007199254740990"},"writer":{"node":"admin-1:17:x3f","host":"admin-1","pid":17,\
                "version":"0.1.0","thread":"orth-http-4"},"executor":{"id":"12","instance":"b7e1","host":"app-1",\
                "pid":4242,"address":"http://10.0.0.5:9999/"},"traceId":"t-1"}""");
    }

    @Test
    @Tag("must-kernel")
    void stateTransitionOfMessageThatCarriesTask() {
        StateTransition claimed = new StateTransition(
                "MESSAGE",
                9_007_199_254_740_991L,
                2,
                "WAITING",
                "RUNNING",
                Instant.parse("2026-05-28T20:26:40.123456Z"),
                1_234L,
                "CLAIMED",
                StateTransition.Work.ofTask(5, "hydrateAll", "courses", "hydrateCourse", "course", "go-101")
                        .inMessage("hydrateAll.courses", 9_007_199_254_740_990L)
                        .atAttempt(2),
                null,
                null,
                "t-1");
        golden(claimed, StateTransition::from, """
                {"entity":"MESSAGE","entityId":"9007199254740991","sequence":2,"from":"WAITING","to":"RUNNING",\
                "at":"2026-05-28T20:26:40.123456Z","millisInFrom":1234,"cause":"CLAIMED","work":{"handler":"hydrateCourse",\
                "rootId":"5","queue":"hydrateAll.courses","pipeline":"hydrateAll","stage":"courses","targetType":"course",\
                "targetId":"go-101","taskId":"9007199254740990","attempt":2},"traceId":"t-1"}""");
    }

    @Test
    void creationHasNoPreviousState() {
        StateTransition creation = new StateTransition(
                "JOB",
                7,
                1,
                null,
                "ENABLED",
                Instant.parse("2026-05-28T20:26:40Z"),
                null,
                "CREATED",
                StateTransition.Work.UNKNOWN,
                null,
                null,
                null);
        golden(creation, StateTransition::from, """
                {"entity":"JOB","entityId":"7","sequence":1,"to":"ENABLED","at":"2026-05-28T20:26:40Z",\
                "cause":"CREATED"}""");
        assertThat(creation.told(new StateTransition.Work(7, "close day", null, null, null, null), null, null)
                        .toJson())
                .containsEntry("work", Map.of("jobId", "7", "jobName", "close day"));
    }

    @Test
    void hashOfDeclaredJobsIgnoresTheirOrder() {
        DeclaredJob one = new DeclaredJob("one", "h", "", null, DeclaredJob.Rules.DEFAULT);
        DeclaredJob two = new DeclaredJob("two", "h", "", null, DeclaredJob.Rules.DEFAULT);
        DeclaredJob other = new DeclaredJob("two", "h", "p", null, DeclaredJob.Rules.DEFAULT);

        assertThat(DeclaredJobs.hashOf(List.of(one, two))).isEqualTo(DeclaredJobs.hashOf(List.of(two, one)));
        assertThat(DeclaredJobs.hashOf(List.of(one, two))).isNotEqualTo(DeclaredJobs.hashOf(List.of(one, other)));
        assertThat(DeclaredJobs.NONE).isEqualTo(DeclaredJobs.hashOf(List.of()));
    }

    @Test
    void orders() {
        golden(new JobRequest(7), JobRequest::from, """
                {"jobId":7}""");
        golden(new KillRequest(List.of(5L, 6L), "killed by ann"), KillRequest::from, """
                {"logIds":[5,6],"reason":"killed by ann"}""");
    }

    @Test
    void unknownBlockStrategyFallsBackToSerial() {
        assertThat(BlockStrategy.ofWireName("ROULETTE")).isEqualTo(BlockStrategy.SERIAL);
        assertThat(BlockStrategy.ofWireName(null)).isEqualTo(BlockStrategy.SERIAL);
        for (BlockStrategy strategy : BlockStrategy.values()) {
            assertThat(BlockStrategy.ofWireName(strategy.wireName())).isEqualTo(strategy);
        }
    }

    private static TriggerRequest trigger(Long scheduleTime) {
        return TriggerRequest.of(7, "close-day", 9_007_199_254_740_991L, 1_780_000_000_123L)
                .params("{}")
                .timeoutSeconds(30)
                .scheduleTime(scheduleTime)
                .instanceId("b7e1")
                .dispatch(2)
                .traceId("t-1")
                .build();
    }

    private static <M extends WireMessage> void golden(M message, Function<JsonObject, M> reader, String json) {
        assertThat(new String(Json.write(message), UTF_8)).isEqualTo(json);
        assertThat(reader.apply(Json.readObject(json.getBytes(UTF_8)))).isEqualTo(message);
    }
}
