package io.orth.admin.triggering;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Drainer;
import io.orth.admin.registry.Probe;
import io.orth.admin.registry.Target;
import io.orth.admin.registry.WorkInquiry;
import io.orth.admin.triggering.SourceShelf.Loaded;
import io.orth.protocol.BeatReply;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.JsonObject;
import io.orth.protocol.KillRequest;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRunsRequest;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerBatchReply.Outcome;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Client for executors of Orth's own kind. The group's token is sent only to addresses that registered with it. */
final class ExecutorGateway implements RunSender, Probe, Drainer, WorkInquiry {

    /** Content type of a streamed log; a response of another type is a rejection. */
    private static final String STREAM_TYPE = "application/x-ndjson";

    private final ExecutorHttp http;
    private final Duration answerWithin;
    private final Duration probeWithin;

    ExecutorGateway(ExecutorHttp http, Duration answerWithin, Duration probeWithin) {
        this.http = http;
        this.answerWithin = answerWithin;
        this.probeWithin = probeWithin;
    }

    @Override
    public List<List<Loaded>> parts(List<Loaded> batch) {
        return Requests.of(batch);
    }

    @Override
    public SendResult send(Target target, TriggerBatch batch) throws InterruptedException {
        try {
            JsonObject answer = http.post(target, ExecutorPaths.RUN_BATCH, batch, answerWithin);
            Reply reply = Reply.from(answer);
            return new SendResult.Answered(
                    reply.succeeded()
                            ? TriggerBatchReply.from(reply.payloadObject()).outcomes()
                            : outcomesOfARefusedBatch(target, batch, reply.msg()));
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return new SendResult.NotSent("%s cannot be reached".formatted(target.address()));
        } catch (IOException | WireFormatException e) {
            return new SendResult.Unclear("%s gave no clear answer: %s".formatted(target.address(), e.getMessage()));
        }
    }

    /** A batch can be rejected as a whole after part of it was accepted, so this method queries the executor for the runs it has. */
    private List<Outcome> outcomesOfARefusedBatch(Target target, TriggerBatch batch, String reason)
            throws IOException, InterruptedException {
        List<Long> ids = batch.triggers().stream().map(TriggerRequest::logId).toList();
        Set<Long> taken = known(target, new KnownRunsRequest(ids)).runs().stream()
                .map(KnownRuns.Known::logId)
                .collect(Collectors.toSet());
        return ids.stream()
                .map(id ->
                        taken.contains(id) ? new Outcome(id, Codes.SUCCESS, null) : new Outcome(id, Codes.FAIL, reason))
                .toList();
    }

    @Override
    public KnownRuns known(Target target, KnownRunsRequest question) throws IOException, InterruptedException {
        return sameInstance(target, ask(target, ExecutorPaths.KNOWN_RUNS, question, KnownRuns::from));
    }

    private static KnownRuns sameInstance(Target target, KnownRuns known) throws IOException {
        if (!known.instanceId().equals(target.instanceId())) {
            throw new RequestRejectedException("%s is another instance now".formatted(target.address()));
        }
        return known;
    }

    /** Kills these runs and returns what the instance knew of them. Fails unless that very instance responds. */
    KnownRuns kill(Target target, KillRequest request) throws IOException, InterruptedException {
        return sameInstance(target, ask(target, ExecutorPaths.KILL_RUNS, request, KnownRuns::from));
    }

    LogRange log(Target target, LogRangeRequest question) throws IOException, InterruptedException {
        return ask(target, ExecutorPaths.LOG_RANGE, question, LogRange::from);
    }

    /** Returns the log as it grows; fails if the executor does not stream it. */
    LiveLog follow(Target target, LogRangeRequest question) throws IOException, InterruptedException {
        HttpResponse<StreamedLog> response = http.open(
                target,
                ExecutorPaths.LOG_STREAM,
                question,
                info -> new StreamedLog(ExecutorHttp.LONGEST_ANSWER, Ticker.system()),
                answerWithin);
        boolean streams = response.headers()
                .firstValue("Content-Type")
                .filter(type -> type.startsWith(STREAM_TYPE))
                .isPresent();
        if (response.statusCode() != ExecutorHttp.OK || !streams) {
            response.body().close();
            throw new IOException("%s does not stream this log".formatted(target.address()));
        }
        return response.body();
    }

    /** Executors on the XXL-JOB wire do not identify themselves, so any response at their address counts. */
    @Override
    public boolean answers(Target target) throws InterruptedException {
        try {
            JsonObject answer = http.post(target, ExecutorPaths.BEAT, Map::of, probeWithin);
            return target.isForeign()
                    ? Reply.from(answer).succeeded()
                    : target.instanceId().equals(BeatReply.from(answer).instanceId());
        } catch (IOException | WireFormatException e) {
            return false;
        }
    }

    /** Names the instance, so a successor at the same address rejects the request. */
    @Override
    public void drain(Target target) throws IOException, InterruptedException {
        try {
            Reply reply = Reply.from(http.post(
                    target, ExecutorPaths.DRAIN, () -> Map.of("instanceId", target.instanceId()), answerWithin));
            if (!reply.succeeded()) {
                throw new IOException("it refused: " + reply.msg());
            }
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new IOException("it cannot be reached", e);
        } catch (WireFormatException e) {
            throw new IOException("its answer cannot be read", e);
        }
    }

    private <T> T ask(Target target, String path, WireMessage question, Function<JsonObject, T> reader)
            throws IOException, InterruptedException {
        return http.demand(target, path, question, answerWithin, reply -> reader.apply(reply.payloadObject()));
    }
}
