package io.orth.client;

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

    private final long most;
    private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
    private Flow.Subscription subscription;
    private long received;

    private BoundedBody(long most) {
        this.most = most;
    }

    static BodyHandler<byte[]> handler(long most) {
        return info -> new BoundedBody(most);
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
        if (received > most) {
            subscription.cancel();
            bytes.onError(new IOException("the answer is longer than " + most + " bytes"));
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
