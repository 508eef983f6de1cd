package io.orth.executor.internal.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.orth.runtime.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The HTTP server that admins call. Requests are served on a bounded pool and rejected when it is full. */
public final class TriggerServer {

    private static final RequestCollector.Limits LIMITS =
            new RequestCollector.Limits(5 * 1024 * 1024, 32L * 1024 * 1024, 10_000, 90_000, 30_000);
    private static final int MAX_REQUEST_LINE = 4 * 1024;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final int EVENT_LOOPS = 2;
    private static final int MAX_CONNECTIONS = 2_000;
    private static final int WAITING_REQUESTS = 1_000;
    private static final int IDLE_THREAD_SECONDS = 60;

    private final AccessToken token;
    private final HomeInstallation home;
    private final Routes routes;
    private final RequestCollector.Limits limits;
    private final ThreadPoolExecutor pool;
    private EventLoopGroup loops;
    private ChannelGroup connections;
    private Channel listening;

    public TriggerServer(String accessToken, HomeInstallation home, Routes routes, int threads) {
        this(accessToken, home, routes, pool(threads, WAITING_REQUESTS), LIMITS);
    }

    TriggerServer(
            String accessToken,
            HomeInstallation home,
            Routes routes,
            ThreadPoolExecutor pool,
            RequestCollector.Limits limits) {
        this.token = new AccessToken(accessToken);
        this.home = home;
        this.routes = routes;
        this.pool = pool;
        this.limits = limits;
    }

    static ThreadPoolExecutor pool(int threads, int waiting) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(waiting),
                Threads.services("request", true));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Uses the only constructor that exists in Netty 4.1 as well, which comes with applications on Spring Boot 3. */
    @SuppressWarnings("deprecation")
    private static EventLoopGroup newLoops() {
        return new NioEventLoopGroup(EVENT_LOOPS, Threads.services("server", false));
    }

    /**
     * Starts listening, which keeps the JVM alive.
     *
     * @return the listening address
     * @throws IOException if the server cannot listen
     */
    public InetSocketAddress start(String host, int port) throws IOException {
        loops = newLoops();
        connections = new DefaultChannelGroup(loops.next());
        InetSocketAddress address = host == null ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        var bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ConnectionInitializer())
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            throw new IOException("cannot listen on %s: %s".formatted(address, bound.cause()), bound.cause());
        }
        listening = bound.channel();
        return (InetSocketAddress) listening.localAddress();
    }

    public void stop() {
        listening.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        pool.shutdown();
    }

    private final class ConnectionInitializer extends ChannelInitializer<SocketChannel> {

        @Override
        protected void initChannel(SocketChannel channel) {
            if (connections.size() >= MAX_CONNECTIONS) {
                var unused = channel.close();
                return;
            }
            connections.add(channel);
            channel.pipeline()
                    .addLast(new WriteTimeoutHandler(limits.writeMillis(), TimeUnit.MILLISECONDS))
                    .addLast(new HttpServerCodec(new HttpDecoderConfig()
                            .setMaxInitialLineLength(MAX_REQUEST_LINE)
                            .setMaxHeaderSize(MAX_HEADERS)))
                    // Holds back decoded messages while a request is being served.
                    .addLast(new FlowControlHandler())
                    .addLast(new RequestCollector(token, home, routes, pool, limits));
        }
    }
}
