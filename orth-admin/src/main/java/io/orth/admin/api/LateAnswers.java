package io.orth.admin.api;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Deferred responses, written by the thread that produces them. The usual asynchronous dispatch would use another thread and run all
 * filters again. Nothing is written before the call's own thread has left the filters, because filters may still set headers.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LateAnswers extends OncePerRequestFilter {

    private static final Logger log = LoggerFactory.getLogger(LateAnswers.class);

    /**
     * Response size that a connection accepts even if the client does not read, so that writing never blocks the producing thread. Longer
     * responses are written by a separate thread.
     */
    private static final int TAKEN_AT_ONCE = 8 * 1024;

    /** Timeout; longer than any wait for a response and the time to read it. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private static final String LEFT = LateAnswers.class.getName();

    private final ProblemWriter problems;

    LateAnswers(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver resolver) {
        this.problems = new ProblemWriter(resolver);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } finally {
            if (request.getAttribute(LEFT) instanceof CompletableFuture<?> left) {
                left.complete(null);
            }
        }
    }

    /** Defers the response until {@code json} completes. The calling thread must then leave the filters. */
    void await(HttpServletRequest request, CompletableFuture<byte[]> json) {
        AsyncContext context = request.startAsync();
        context.setTimeout(LONGEST.toMillis());
        Call call = new Call(context);
        CompletableFuture<Object> left = new CompletableFuture<>();
        request.setAttribute(LEFT, left);
        CompletableFuture<byte[]> unused = left.thenCompose(any -> json).whenComplete(call::answer);
    }

    private final class Call implements AsyncListener {

        private final AsyncContext context;
        private final AtomicBoolean answered = new AtomicBoolean();

        Call(AsyncContext context) {
            this.context = context;
            context.addListener(this);
        }

        /** @param problem null if there is none */
        void answer(byte[] body, Throwable problem) {
            if (!answered.compareAndSet(false, true)) {
                return;
            }
            try {
                if (problem != null || body.length > TAKEN_AT_ONCE) {
                    context.start(() -> finish(body, problem));
                } else {
                    finish(body, null);
                }
            } catch (IllegalStateException | RejectedExecutionException e) {
                // The web server has ended the call already, or is about to.
                inVain(e);
            }
        }

        private void finish(byte[] body, Throwable problem) {
            try {
                if (problem == null) {
                    write(body);
                } else {
                    write(problem);
                }
            } catch (IOException | RuntimeException e) {
                inVain(e);
            } finally {
                context.complete();
            }
        }

        private static void inVain(Exception e) {
            log.atDebug().setCause(e).log("an answer could not be given");
        }

        private void write(byte[] body) throws IOException {
            HttpServletResponse response = (HttpServletResponse) context.getResponse();
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.flushBuffer();
        }

        private void write(Throwable problem) {
            Throwable cause = problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
            HttpServletRequest request = (HttpServletRequest) context.getRequest();
            MDC.put(TraceId.MDC_KEY, TraceId.of(request));
            try {
                problems.write(
                        request,
                        (HttpServletResponse) context.getResponse(),
                        cause instanceof Exception ours ? ours : new IllegalStateException(cause));
            } finally {
                MDC.remove(TraceId.MDC_KEY);
            }
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            answer(null, new AsyncRequestTimeoutException());
        }

        @Override
        public void onError(AsyncEvent event) {
            answered.set(true);
        }

        @Override
        public void onComplete(AsyncEvent event) {
            answered.set(true);
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            throw new IllegalStateException("a call waits once");
        }
    }
}
