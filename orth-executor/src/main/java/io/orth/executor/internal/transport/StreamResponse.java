package io.orth.executor.internal.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import io.orth.protocol.Json;
import io.orth.protocol.WireMessage;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a {@link MessageStream} as a chunked response, one JSON object per line, and then closes the connection.
 *
 * <p>It has no thread of its own. Each poll of the stream is a short task for the pool; the next one follows when the reader has
 * received the last message. If there was nothing new, it waits for a notification or the next tick. A slow reader therefore
 * costs no more than one message. The connection closes if the reader takes nothing for the duration of the write timeout.
 */
final class StreamResponse {

    /** @param pauseMillis how long lines are collected; together with the tick it bounds the delay of a line */
    record Timing(long pauseMillis, long tickMillis, int ticksUntilStillThere) {}

    static final Timing TIMING = new Timing(30, 500, 20);

    private static final Logger log = LoggerFactory.getLogger(StreamResponse.class);

    private final ChannelHandlerContext context;
    private final MessageStream stream;
    private final Executor pool;
    private final Timing timing;

    /** Whether a requested poll has not started; until it has, further requests are unnecessary. */
    private final AtomicBoolean asked = new AtomicBoolean();

    // Accessed by the channel's event loop only.
    private boolean looking;
    private boolean lookAgain;
    private int quietTicks;
    private Future<?> ticking;

    StreamResponse(ChannelHandlerContext context, MessageStream stream, Executor pool, Timing timing) {
        this.context = context;
        this.stream = stream;
        this.pool = pool;
        this.timing = timing;
    }

    /** Sends the head and starts the stream. Called on the event loop. */
    void start() {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "application/x-ndjson;charset=UTF-8")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        var unused = context.writeAndFlush(head);
        ticking = context.executor()
                .scheduleAtFixedRate(this::tick, timing.tickMillis(), timing.tickMillis(), TimeUnit.MILLISECONDS);
        stream.onMore(this::mayBeMore);
        look();
    }

    /** Stops after the connection has closed. Called on the event loop. */
    void stop() {
        ticking.cancel(false);
        stream.close();
    }

    /** Requests a poll. Called on any thread, often; lines in quick succession cause one poll. */
    private void mayBeMore() {
        if (asked.compareAndSet(false, true)) {
            try {
                var unused = context.executor().schedule(this::look, timing.pauseMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                log.debug("the server has stopped", e);
            }
        }
    }

    private void tick() {
        if (!looking && ++quietTicks >= timing.ticksUntilStillThere()) {
            quietTicks = 0;
            looking = true;
            send(stream.stillThere(), false);
        } else {
            look();
        }
    }

    private void look() {
        asked.set(false);
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        lookAgain = false;
        try {
            pool.execute(this::lookOnPool);
        } catch (RejectedExecutionException e) {
            // All request threads are busy; the next tick polls again.
            looking = false;
        }
    }

    private void lookOnPool() {
        try {
            MessageStream.Next next = stream.next();
            context.executor().execute(() -> looked(next));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            log.warn("a stream broke", e);
            var unused = context.close();
        }
    }

    private void looked(MessageStream.Next next) {
        if (next.message() != null) {
            quietTicks = 0;
            lookAgain = true;
            send(next.message(), next.last());
        } else if (next.last()) {
            end();
        } else {
            done();
        }
    }

    private void send(WireMessage message, boolean last) {
        ByteBuf line = Unpooled.wrappedBuffer(Json.write(message), new byte[] {'\n'});
        context.writeAndFlush(new DefaultHttpContent(line)).addListener((ChannelFutureListener) written -> {
            if (!written.isSuccess()) {
                var unused = context.close();
            } else if (last) {
                end();
            } else {
                done();
            }
        });
    }

    private void done() {
        looking = false;
        if (lookAgain) {
            look();
        }
    }

    private void end() {
        context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(ChannelFutureListener.CLOSE);
    }
}
