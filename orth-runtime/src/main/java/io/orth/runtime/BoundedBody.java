package io.orth.runtime;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads the body of a response up to a limit; a longer body causes an exception instead of exhausting the heap. */
public final class BoundedBody implements BodySubscriber<byte[]> {

    /** Thrown if the response exceeds the limit. */
    public static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1;

        private TooLongException(long maxBytes) {
            super("the answer is longer than " + maxBytes + " bytes");
        }
    }

    private final long maxBytes;
    private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
    private Flow.Subscription subscription;
    private long received;

    private BoundedBody(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    public static BodyHandler<byte[]> handler(long maxBytes) {
        return head -> new BoundedBody(maxBytes);
    }

    /**
     * Sends {@code request} and returns the response if it is complete within {@code limit}. The request's own timeout covers only the
     * head of the response; this limit covers the body too.
     */
    public static HttpResponse<byte[]> exchange(HttpClient http, HttpRequest request, long maxBytes, Duration limit)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> response = http.sendAsync(request, handler(maxBytes));
        try {
            return response.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("it did not answer in time", e);
        } catch (ExecutionException e) {
            throw new IOException("it could not be reached: " + words(e.getCause()), e.getCause());
        } finally {
            response.cancel(true);
        }
    }

    /** Some of the HTTP client's exceptions have no message. */
    private static String words(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return bytes.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = newSubscription;
        bytes.onSubscribe(newSubscription);
    }

    @Override
    public void onNext(List<ByteBuffer> more) {
        received += more.stream().mapToLong(ByteBuffer::remaining).sum();
        if (received > maxBytes) {
            subscription.cancel();
            bytes.onError(new TooLongException(maxBytes));
        } else {
            bytes.onNext(more);
        }
    }

    @Override
    public void onError(Throwable problem) {
        bytes.onError(problem);
    }

    @Override
    public void onComplete() {
        bytes.onComplete();
    }
}
