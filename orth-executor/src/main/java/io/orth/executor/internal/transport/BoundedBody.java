package io.orth.executor.internal.transport;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Collects an answer's bytes, and fails on one that does not end. */
final class BoundedBody implements BodySubscriber<byte[]> {

    /** The answer is longer than what is read. */
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1;

        private TooLongException(int maxBytes) {
            super("the answer is longer than " + maxBytes + " bytes");
        }
    }

    private final int maxBytes;
    private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
    private Flow.Subscription subscription;
    private long received;

    private BoundedBody(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    static BodyHandler<byte[]> handler(int maxBytes) {
        return info -> new BoundedBody(maxBytes);
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
