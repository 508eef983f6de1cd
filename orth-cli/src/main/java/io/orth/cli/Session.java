package io.orth.cli;

import io.orth.client.OrthClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** One invocation of the program: the client, and how it prints responses. */
final class Session {

    static final String URL_VARIABLE = "ORTH_URL";
    static final String USUAL_URL = "http://127.0.0.1:8080";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final OrthCli options;
    private final Surroundings given;
    private final Input input;
    /** The last response, as the admin sent it. */
    private String lastAnswer;

    private OrthClient client;

    Session(OrthCli options, Surroundings given) {
        this.options = options;
        this.given = given;
        this.input = new Input(given.in());
    }

    Input input() {
        return input;
    }

    PrintWriter out() {
        return given.out();
    }

    PrintWriter err() {
        return given.err();
    }

    /** Calls the admin and prints the response with {@code words}, or unchanged. */
    <T> void show(Function<OrthClient, T> call, Consumer<T> words) {
        T answer = ask(call);
        if (options.json) {
            out().println(lastAnswer);
        } else {
            words.accept(answer);
        }
    }

    <T> T ask(Function<OrthClient, T> call) {
        if (client == null) {
            client = connect();
        }
        return call.apply(client);
    }

    private OrthClient connect() {
        String url = url();
        return at(url).token(new Token(given, input).find(options.credentials, url))
                .timeout(PATIENCE)
                .onAnswer(answer -> lastAnswer = answer)
                .build();
    }

    private static OrthClient.Builder at(String url) {
        try {
            return OrthClient.builder().admins(url);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--url must be like http://host:port, got '%s'".formatted(url));
        }
    }

    private String url() {
        if (options.url != null) {
            return options.url;
        }
        String variable = given.variable(URL_VARIABLE);
        return variable == null ? USUAL_URL : variable;
    }
}
