package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.security.BodyWaits;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.springframework.http.HttpHeaders;
import org.springframework.util.unit.DataSize;

/**
 * Valve for bodies that were not read, such as those of rejected calls. The web server would read all of such a body, however slowly it
 * arrives. This valve sends the response first. It then reads and drops the body for a short time, because clients look for the response
 * only after they have sent everything, and closes the connection if the body has not ended by then. The call has released its thread share
 * before, so dropping takes a thread of the share for user calls; if all of them are busy, the connection is closed immediately.
 */
final class UnreadBodyValve extends ValveBase {

    private static final DataSize MAX_DROPPED = DataSize.ofMegabytes(32);
    private static final String GIVEN_UP = UnreadBodyValve.class.getName();

    private final RequestThreads.Share threads;
    private final BodyWaits waits;
    private final Duration timeout;
    private final Ticker ticker;

    UnreadBodyValve(RequestThreads.Share threads, BodyWaits waits, Duration timeout, Ticker ticker) {
        super(true);
        this.threads = threads;
        this.waits = waits;
        this.timeout = timeout;
        this.ticker = ticker;
    }

    /** Marks the request so that no more of its body is read. */
    static void giveUp(ServletRequest request) {
        request.setAttribute(GIVEN_UP, true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        try {
            getNext().invoke(request, response);
        } finally {
            if (!request.isAsync() && !isRead(request)) {
                end(request, response);
            }
        }
    }

    private static boolean isRead(Request request) {
        AtomicBoolean read = new AtomicBoolean();
        request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, read);
        return read.get();
    }

    private void end(Request request, Response response) throws IOException {
        boolean givenUp = request.getAttribute(GIVEN_UP) != null
                || request.getCoyoteRequest().hasExpectation();
        boolean mayDrop = !givenUp && threads.take();
        try {
            Optional<BodyWaits.Wait> wait =
                    mayDrop ? waits.begin(BodyWaits.Caller.ANONYMOUS, request.getRemoteAddr()) : Optional.empty();
            try {
                answer(request, response, wait.isPresent());
            } finally {
                wait.ifPresent(BodyWaits.Wait::close);
            }
        } finally {
            if (mayDrop) {
                threads.giveBack();
            }
        }
    }

    private void answer(Request request, Response response, boolean thenDrop) throws IOException {
        if (!thenDrop && !response.isCommitted()) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
        }
        response.finishResponse();
        if (!thenDrop || !drop(request.getCoyoteRequest())) {
            request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    /** Drops the body. Returns whether it has ended. Reads below the request's stream, which may have been closed. */
    private boolean drop(org.apache.coyote.Request body) {
        Dropped some = new Dropped();
        long deadline = ticker.nanos() + timeout.toNanos();
        long left = MAX_DROPPED.toBytes();
        try {
            while (left > 0 && ticker.nanos() - deadline < 0) {
                int read = body.doRead(some);
                if (read < 0) {
                    return true;
                }
                left -= read;
            }
        } catch (IOException e) {
            container.getLogger().debug("a body broke off", e);
        }
        return false;
    }

    /** Target buffer of the dropped bytes. */
    private static final class Dropped implements ApplicationBufferHandler {

        private ByteBuffer buffer = ByteBuffer.allocate(0);

        @Override
        public void setByteBuffer(ByteBuffer given) {
            buffer = given;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return buffer;
        }

        @Override
        public void expand(int size) {
            // Dropped bytes need no space.
        }
    }
}
