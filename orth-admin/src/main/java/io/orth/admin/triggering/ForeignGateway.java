package io.orth.admin.triggering;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Target;
import io.orth.admin.triggering.SourceShelf.Loaded;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.JobRequest;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply.Outcome;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Client for executors on the XXL-JOB wire. Each trigger is a separate request, sent once. Such an executor cannot be asked whether it
 * received a trigger, so an unclear response stays unclear.
 */
final class ForeignGateway implements RunSender {

    /** The fields that XXL-JOB's own admins send; the executor ignores others. */
    private static final Set<String> FIELDS = Set.of(
            "jobId",
            "executorHandler",
            "executorParams",
            "executorBlockStrategy",
            "executorTimeout",
            "logId",
            "logDateTime",
            "glueType",
            "glueSource",
            "glueUpdatetime",
            "broadcastIndex",
            "broadcastTotal");

    /**
     * Text by which an executor reports that the job to kill was not there; the field that contains it depends on the executor's version.
     */
    private static final String NOT_THERE = "already killed";

    private final ExecutorHttp http;
    private final Duration answerWithin;
    private final int atOnce;
    private final Ticker ticker;

    ForeignGateway(ExecutorHttp http, Duration answerWithin, int atOnce, Ticker ticker) {
        this.http = http;
        this.answerWithin = answerWithin;
        this.atOnce = atOnce;
        this.ticker = ticker;
    }

    /** Separates runs of the same job, so they are not sent concurrently and arrive in order. */
    @Override
    public List<List<Loaded>> parts(List<Loaded> batch) {
        List<List<Loaded>> parts = new ArrayList<>();
        Set<Integer> jobs = new HashSet<>(); // jobs of the last part, which has one run of each
        for (Loaded each : batch) {
            int job = each.send().run().jobId();
            if (parts.isEmpty() || jobs.size() == atOnce || jobs.contains(job)) {
                parts.add(new ArrayList<>());
                jobs.clear();
            }
            parts.get(parts.size() - 1).add(each);
            jobs.add(job);
        }
        return parts;
    }

    @Override
    public SendResult send(Target target, TriggerBatch part) throws InterruptedException {
        long deadline = ticker.nanos() + answerWithin.toNanos();
        Map<Long, CompletableFuture<HttpResponse<byte[]>>> sent = new LinkedHashMap<>();
        List<Outcome> answered = new ArrayList<>();
        Map<Long, String> unclear = new LinkedHashMap<>();
        try {
            for (TriggerRequest trigger : part.triggers()) {
                sent.put(trigger.logId(), http.begin(target, ExecutorPaths.RUN, plain(trigger)));
            }
            for (Map.Entry<Long, CompletableFuture<HttpResponse<byte[]>>> one : sent.entrySet()) {
                Duration left = Duration.ofNanos(Math.max(0, deadline - ticker.nanos()));
                try {
                    answered.add(outcome(one.getKey(), one.getValue(), left));
                } catch (IOException | WireFormatException e) {
                    unclear.put(one.getKey(), String.valueOf(e.getMessage()));
                }
            }
        } finally {
            sent.values().forEach(answer -> answer.cancel(true));
        }
        return new SendResult.OneByOne(answered, unclear);
    }

    private static Outcome outcome(long logId, CompletableFuture<HttpResponse<byte[]>> answer, Duration within)
            throws IOException, InterruptedException {
        try {
            Reply reply = Reply.from(ExecutorHttp.read(ExecutorHttp.await(answer, within)));
            return new Outcome(logId, codeOf(reply), reply.msg());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return new Outcome(logId, Codes.UNAVAILABLE, "cannot be reached");
        } catch (RequestRejectedException e) {
            return new Outcome(logId, Codes.FAIL, e.getMessage());
        }
    }

    private static int codeOf(Reply reply) {
        if (reply.succeeded()) {
            return Codes.SUCCESS;
        }
        boolean discarded = reply.msg() != null && reply.msg().contains(BlockStrategy.DISCARDED);
        return discarded ? Codes.BUSY : Codes.FAIL;
    }

    private static WireMessage plain(TriggerRequest trigger) {
        Map<String, Object> json = new LinkedHashMap<>(trigger.toJson());
        json.keySet().retainAll(FIELDS);
        return () -> json;
    }

    /** Returns whether {@code job} neither runs nor waits on the executor. */
    boolean isIdle(Target target, int job, Duration within) throws IOException, InterruptedException {
        return http.ask(target, ExecutorPaths.IDLE_BEAT, new JobRequest(job), within, Reply::succeeded);
    }

    /** Kills every run of {@code job} on the executor; returns whether there was any. */
    boolean kill(Target target, int job) throws IOException, InterruptedException {
        String said = http.demand(
                target,
                ExecutorPaths.KILL,
                new JobRequest(job),
                answerWithin,
                reply -> "%s %s".formatted(reply.msg(), reply.payload()));
        return !said.contains(NOT_THERE);
    }

    LogReply log(Target target, LogRequest question) throws IOException, InterruptedException {
        return http.demand(
                target, ExecutorPaths.LOG, question, answerWithin, reply -> LogReply.from(reply.payloadObject()));
    }
}
