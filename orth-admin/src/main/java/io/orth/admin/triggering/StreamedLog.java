package io.orth.admin.triggering;

import io.orth.admin.kernel.Ticker;
import io.orth.protocol.Json;
import io.orth.protocol.LogRange;
import io.orth.protocol.WireFormatException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A log streamed by its executor, read line by line as it arrives. More data is requested from the sender only once the received data has
 * been read, so a slow reader slows the sender down and memory use is bounded.
 */
final class StreamedLog implements LiveLog, BodySubscriber<StreamedLog> {

    /** Received bytes, or the reason why no more will arrive. */
    private record Arrival(List<ByteBuffer> bytes, Throwable end) {}

    private final int longestLine;
    private final Ticker ticker;
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();

    // Accessed by the reader only.
    private final Queue<byte[]> lines = new ArrayDeque<>();
    private ByteArrayOutputStream line = new ByteArrayOutputStream();

    StreamedLog(int longestLine, Ticker ticker) {
        this.longestLine = longestLine;
        this.ticker = ticker;
    }

    /** Fails once the response has ended. */
    @Override
    public Optional<LogRange> next(Duration patience) throws IOException, InterruptedException {
        long deadline = ticker.nanos() + patience.toNanos();
        while (lines.isEmpty()) {
            Arrival arrival = arrived.poll(deadline - ticker.nanos(), TimeUnit.NANOSECONDS);
            if (arrival == null) {
                return Optional.empty();
            }
            if (arrival.end() != null) {
                throw new IOException("the stream has ended", arrival.end());
            }
            arrival.bytes().forEach(this::take);
            if (line.size() > longestLine) {
                throw new IOException("a line is longer than %d bytes".formatted(longestLine));
            }
            subscription.join().request(1);
        }
        try {
            return Optional.of(LogRange.from(Json.readObject(lines.remove())));
        } catch (WireFormatException e) {
            throw new IOException("the executor sent something else than its log", e);
        }
    }

    @Override
    public void close() {
        var unused = subscription.thenAccept(Flow.Subscription::cancel);
    }

    private void take(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                lines.add(line.toByteArray());
                line = new ByteArrayOutputStream();
            } else {
                line.write(next);
            }
        }
    }

    @Override
    public CompletionStage<StreamedLog> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription arriving) {
        subscription.complete(arriving);
        arriving.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        arrived.add(new Arrival(buffers, null));
    }

    @Override
    public void onError(Throwable failure) {
        arrived.add(new Arrival(List.of(), failure));
    }

    @Override
    public void onComplete() {
        arrived.add(new Arrival(List.of(), new EOFException()));
    }
}
