package io.orth.executor.internal.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles one connection. Collects a request, decides from its head whether it will be served, has another thread serve it, and
 * only then reads the next one. The body of a rejected request is dropped as it arrives. The response follows after its end,
 * because a client that is still sending would not read it. Every response has HTTP status 200; its code is in the body.
 */
final class RequestCollector extends SimpleChannelInboundHandler<HttpObject> {

    /**
     * Limits of a connection: bytes of a request body, bytes of a rejected body that are read and dropped, time for a request to
     * arrive, idle time, and time for the reader to take a response.
     */
    record Limits(int bodyBytes, long swallowedBytes, long arrivalMillis, long idleMillis, long writeMillis) {}

    private static final Logger log = LoggerFactory.getLogger(RequestCollector.class);

    private final AccessToken token;
    private final HomeInstallation home;
    private final Routes routes;
    private final Executor pool;
    private final Limits limits;

    // Accessed by the channel's event loop only.
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private Routes.Route route;
    private Routes.StreamHandler streamRoute;
    private StreamResponse stream;
    private Reply refusal;
    private boolean keepAlive;
    private long received;
    private Future<?> deadline;

    RequestCollector(AccessToken token, HomeInstallation home, Routes routes, Executor pool, Limits limits) {
        this.token = token;
        this.home = home;
        this.routes = routes;
        this.pool = pool;
        this.limits = limits;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        closeAfter(context, limits.arrivalMillis());
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancelDeadline();
        if (stream != null) {
            stream.stop();
        }
        context.fireChannelInactive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) throws IOException {
        if (stream != null) {
            // Nothing may follow a request whose response is a stream.
            close(context);
            return;
        }
        if (part.decoderResult().isFailure()) {
            refuse("not a valid HTTP request");
            keepAlive = false;
            answer(context, refusal);
            return;
        }
        if (part instanceof HttpRequest head) {
            begin(context, head);
        }
        if (part instanceof HttpContent content) {
            collect(context, content.content());
        }
        if (part instanceof LastHttpContent) {
            complete(context);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest head) {
        closeAfter(context, limits.arrivalMillis());
        body.reset();
        received = 0;
        refusal = null;
        keepAlive = HttpUtil.isKeepAlive(head);
        route = routes.find(head.uri()).orElse(null);
        streamRoute = routes.findStream(head.uri()).orElse(null);
        if (!token.isShownIn(head.headers())) {
            refuse("The access token is wrong.");
        } else if (!head.method().equals(HttpMethod.POST)) {
            refuse("only POST is served, not " + head.method());
        } else if (route == null && streamRoute == null) {
            refuse("there is no " + head.uri());
        } else if (HttpUtil.getContentLength(head, 0L) > limits.bodyBytes()) {
            refuse("the body is larger than %d bytes".formatted(limits.bodyBytes()));
        } else {
            home.refusal(head.uri(), head.headers().get(Headers.INSTALLATION_ID))
                    .ifPresent(this::refuse);
        }
        if (refusal == null && HttpUtil.is100ContinueExpected(head)) {
            var unused = context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    private void collect(ChannelHandlerContext context, ByteBuf content) throws IOException {
        received += content.readableBytes();
        if (refusal == null && received > limits.bodyBytes()) {
            refuse("the body is larger than %d bytes".formatted(limits.bodyBytes()));
        }
        if (refusal == null) {
            content.readBytes(body, content.readableBytes());
        } else if (received > limits.swallowedBytes()) {
            close(context);
        }
    }

    private void complete(ChannelHandlerContext context) {
        cancelDeadline();
        context.channel().config().setAutoRead(false);
        if (refusal != null) {
            answer(context, refusal);
            return;
        }
        byte[] request = body.toByteArray();
        body.reset();
        if (route != null && route.inline()) {
            answer(context, serve(route.handler(), request));
            return;
        }
        Runnable task = route == null ? streaming(context, request) : serving(context, request);
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            answer(context, Reply.fail("the executor is busy with other requests; try again"));
        }
    }

    private Runnable serving(ChannelHandlerContext context, byte[] request) {
        Routes.Handler handler = route.handler();
        return () -> answer(context, serve(handler, request));
    }

    private Runnable streaming(ChannelHandlerContext context, byte[] request) {
        Routes.StreamHandler handler = streamRoute;
        return () -> {
            MessageStream opened;
            try {
                opened = handler.open(request);
            } catch (Exception | OutOfMemoryError | StackOverflowError e) {
                answer(context, failure(e));
                return;
            }
            context.executor().execute(() -> begin(context, opened));
        };
    }

    private void begin(ChannelHandlerContext context, MessageStream opened) {
        if (!context.channel().isActive()) {
            opened.close();
            return;
        }
        stream = new StreamResponse(context, opened, pool, StreamResponse.TIMING);
        stream.start();
        // A closed connection is only detected while reading.
        context.channel().config().setAutoRead(true);
    }

    /** Serves a request. This is the boundary of the executor: every exception becomes a response. */
    private static WireMessage serve(Routes.Handler handler, byte[] request) {
        try {
            return handler.answer(request);
        } catch (Exception | OutOfMemoryError | StackOverflowError e) {
            return failure(e);
        }
    }

    private static Reply failure(Throwable problem) {
        if (problem instanceof WireFormatException) {
            return Reply.fail(problem.getMessage());
        }
        log.error("a request could not be served", problem);
        return Reply.fail("the executor failed: " + problem);
    }

    private void answer(ChannelHandlerContext context, WireMessage message) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(Json.write(message)));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json;charset=UTF-8")
                .setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        boolean stays = keepAlive;
        if (!stays) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        context.writeAndFlush(response).addListener((ChannelFutureListener) written -> {
            if (stays && written.isSuccess()) {
                closeAfter(context, limits.idleMillis());
                context.channel().config().setAutoRead(true);
            } else {
                close(context);
            }
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
        log.debug("a connection failed", problem);
        close(context);
    }

    private static void close(ChannelHandlerContext context) {
        var unused = context.close();
    }

    private void refuse(String reason) {
        refusal = Reply.fail(reason);
    }

    private void closeAfter(ChannelHandlerContext context, long millis) {
        cancelDeadline();
        deadline = context.executor().schedule(() -> close(context), millis, TimeUnit.MILLISECONDS);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
