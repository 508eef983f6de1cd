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
 * Sends a {@link MessageStream} as a chunked answer, one JSON object a line, and closes the connection after it.
 *
 * <p>It has no thread: a look at the stream is a short task for the pool, and the next one follows when the reader has taken
 * what was sent. When there was nothing new it waits until it is told that there may be, or for the next tick. So a reader
 * that is slow costs nothing but one message; one that takes nothing for the time of a write is cut by the connection.
 */
final class StreamResponse {

    /** @param pauseMillis how long lines are collected; with the tick it bounds how late a line can come */
    record Timing(long pauseMillis, long tickMillis, int ticksUntilStillThere) {}

    static final Timing TIMING = new Timing(30, 500, 20);

    private static final Logger log = LoggerFactory.getLogger(StreamResponse.class);

    private final ChannelHandlerContext context;
    private final MessageStream stream;
    private final Executor pool;
    private final Timing timing;

    /** Whether a look that is asked for has not begun; asking again is needless until it has. */
    private final AtomicBoolean asked = new AtomicBoolean();

    // Only the channel's event loop touches these.
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

    /** On the event loop: sends the head and begins. */
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

    /** On the event loop: the connection has gone. */
    void stop() {
        ticking.cancel(false);
        stream.close();
    }

    /** On any thread, often: lines that come quickly cause one look. */
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
            // All request threads are busy; the next tick tries again.
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
