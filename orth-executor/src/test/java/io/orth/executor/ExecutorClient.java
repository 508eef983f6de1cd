package io.orth.executor;

import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRunsRequest;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WireMessage;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Calls an executor as an admin would. */
public final class ExecutorClient {

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();

    private final URI address;
    private final String installation;

    public ExecutorClient(URI address) {
        this(address, null);
    }

    private ExecutorClient(URI address, String installation) {
        this.address = address;
        this.installation = installation;
    }

    /** As an admin of this installation. */
    public ExecutorClient from(String id) {
        return new ExecutorClient(address, id);
    }

    public Reply run(TriggerRequest trigger) throws IOException, InterruptedException {
        return post(ExecutorPaths.RUN, trigger);
    }

    public Reply post(String path, WireMessage message) throws IOException, InterruptedException {
        return Reply.from(postRaw(path, Json.write(message)));
    }

    /** The executor's state of these runs. */
    public List<Known> known(long... logIds) throws IOException, InterruptedException {
        KnownRunsRequest question =
                new KnownRunsRequest(Arrays.stream(logIds).boxed().toList());
        return KnownRuns.from(post(ExecutorPaths.KNOWN_RUNS, question).payloadObject())
                .runs();
    }

    /** The log of a run, as far as one piece goes. */
    public String log(long logId) throws IOException, InterruptedException {
        LogRangeRequest question = new LogRangeRequest(logId, Triggers.TRIGGERED_AT, 0, 100_000);
        return LogRange.from(post(ExecutorPaths.LOG_RANGE, question).payloadObject())
                .text();
    }

    public JsonObject postRaw(String path, byte[] body) throws IOException, InterruptedException {
        return Json.readObject(send(request(path)
                        .header(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                        .POST(BodyPublishers.ofByteArray(body))
                        .build())
                .body());
    }

    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(address.toString().replaceAll("/$", "") + path))
                .timeout(Duration.ofSeconds(20));
        return installation == null ? request : request.header(Headers.INSTALLATION_ID, installation);
    }

    public HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        return HTTP.send(request, BodyHandlers.ofByteArray());
    }
}
