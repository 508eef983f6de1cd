package io.orth.standalone;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.sample.hydrate.HydrateSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An executor as a stand-alone program. Stops gracefully on SIGTERM, on Ctrl-C and, if requested, when standard input ends. */
public final class StandaloneExecutor {

    private static final Logger log = LoggerFactory.getLogger(StandaloneExecutor.class);
    private static final int USAGE = 2;
    private static final int CANNOT_START = 1;

    private StandaloneExecutor() {}

    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        if (given.contains("--help")) {
            System.out.print(StandaloneOptions.USAGE);
            return;
        }
        try {
            run(StandaloneOptions.parse(given, System.getenv()));
        } catch (UsageException e) {
            System.err.println(e.getMessage());
            System.exit(USAGE);
        } catch (UncheckedIOException e) {
            System.err.println("the executor cannot start: " + e.getMessage());
            System.exit(CANNOT_START);
        }
    }

    private static void run(StandaloneOptions options) {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder();
        if (options.samples()) {
            addSamples(handlers, options.executor().logPath());
        }
        OrthExecutor executor =
                OrthExecutor.create(options.executor(), handlers.build()).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> executor.stop(options.grace()), "orth-shutdown"));
        if (options.lifeline()) {
            awaitEnd(System.in);
            log.info("standard input has ended; stopping");
            System.exit(0);
        }
    }

    private static void addSamples(HandlerRegistry.Builder handlers, Path directory) {
        handlers.addMethodsOf(new SampleHandlers());
        try {
            HydrateSettings.from(System.getenv(), directory.resolve("hydrate-content"))
                    .addTo(handlers);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /**
     * Waits for the end of standard input, if requested. The main thread has nothing else to do; without the option, the server's
     * thread keeps the program alive.
     */
    private static void awaitEnd(InputStream in) {
        try {
            while (in.read() >= 0) {
                // The content is ignored; only the end counts.
            }
        } catch (IOException e) {
            log.debug("standard input failed", e);
        }
    }
}
