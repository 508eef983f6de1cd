package io.orth.admin.api;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receives server-sent events and keeps them all. */
final class WatchedEvents implements AutoCloseable {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** One event; its name is empty for a comment. */
    record Event(String name, String id, String data) {

        JsonNode json() {
            return JSON.readTree(data);
        }

        int sequence() {
            return json().path("sequence").asInt();
        }
    }

    private final HttpResponse<InputStream> answer;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private WatchedEvents(HttpResponse<InputStream> answer) {
        this.answer = answer;
        this.reader = new Thread(this::read, "watched-events");
        reader.setDaemon(true);
        reader.start();
    }

    /** @param lastEventId null for none */
    static WatchedEvents open(URI url, String token, String lastEventId) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url).header("Authorization", "Bearer " + token);
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        try {
            return new WatchedEvents(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Like {@link #open}, and waits for the first event, which marks the start of the stream. */
    static WatchedEvents started(URI url, String token, String lastEventId) {
        WatchedEvents watched = open(url, token, lastEventId);
        await().atMost(SOON).pollDelay(Duration.ZERO).until(() -> !watched.events.isEmpty());
        return watched;
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            String name = "";
            String id = "";
            String data = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    events.add(new Event(name, id, data));
                    name = "";
                    id = "";
                    data = "";
                } else if (line.startsWith("event:")) {
                    name = line.substring("event:".length());
                } else if (line.startsWith("id:")) {
                    id = line.substring("id:".length());
                } else if (line.startsWith("data:")) {
                    data = line.substring("data:".length());
                }
            }
        } catch (IOException e) {
            // Closed by the test or by the server; tests check the events that arrived.
        }
    }

    int status() {
        return answer.statusCode();
    }

    List<Event> events() {
        return events;
    }

    List<Event> named(String name) {
        return events.stream().filter(event -> event.name().equals(name)).toList();
    }

    List<Event> transitions() {
        return named("transition");
    }

    /** Waits for that many transitions and returns them. */
    List<Event> transitions(int count) {
        await().atMost(SOON).pollDelay(Duration.ZERO).until(() -> transitions().size() >= count);
        return transitions();
    }

    @Override
    public void close() {
        try {
            answer.body().close();
            reader.join(SOON.toMillis());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
