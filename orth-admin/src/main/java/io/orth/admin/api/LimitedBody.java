package io.orth.admin.api;

import io.orth.admin.api.BodyLimitFilter.Limits;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.security.BodyWaits;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Request whose body is read within {@link Limits}. Only a body that is still arriving counts towards the share of its kind of caller. */
final class LimitedBody extends HttpServletRequestWrapper implements AutoCloseable {

    private final Limits limits;
    private final BodyWaits waits;
    private final Ticker ticker;
    private Stream stream;

    LimitedBody(HttpServletRequest request, Limits limits, BodyWaits waits, Ticker ticker) {
        super(request);
        this.limits = limits;
        this.waits = waits;
        this.ticker = ticker;
    }

    static OrthException tooLarge(Limits limits) {
        return OrthException.of(
                ErrorCode.TOO_LARGE,
                "a body may have %d bytes".formatted(limits.maxSize().toBytes()));
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (stream == null) {
            stream = new Stream(super.getInputStream());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.end();
        }
    }

    private final class Stream extends ServletInputStream {

        private final ServletInputStream source;
        private long left = limits.maxSize().toBytes();
        private boolean begun;
        private long deadline;
        private BodyWaits.Wait wait;

        Stream(ServletInputStream source) {
            this.source = source;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            begin();
            int read;
            try {
                read = source.read(target, offset, length);
            } catch (IOException e) {
                if (e.getCause() instanceof SocketTimeoutException) {
                    throw tooSlow();
                }
                throw e;
            }
            if (read < 0) {
                end();
                return read;
            }
            left -= read;
            if (left < 0) {
                throw tooLarge(limits);
            }
            return read;
        }

        private void begin() throws IOException {
            if (!begun) {
                begun = true;
                deadline = ticker.nanos() + limits.timeout().toNanos();
                if (!isHere()) {
                    wait = waits.begin(limits.caller(), getRemoteAddr()).orElseThrow(this::tooMany);
                }
            } else if (wait != null && ticker.nanos() - deadline >= 0) {
                throw tooSlow();
            }
        }

        /** Returns whether the whole body arrived together with the request headers. */
        private boolean isHere() throws IOException {
            long length = getContentLengthLong();
            return length >= 0 && source.available() >= length;
        }

        private OrthException tooMany() {
            UnreadBodyValve.giveUp(LimitedBody.this);
            return OrthException.of(ErrorCode.UNAVAILABLE, "too many request bodies are arriving slowly; try again");
        }

        private OrthException tooSlow() {
            UnreadBodyValve.giveUp(LimitedBody.this);
            return OrthException.of(
                    ErrorCode.REQUEST_TIMEOUT,
                    "the body did not arrive within %d ms"
                            .formatted(limits.timeout().toMillis()));
        }

        void end() {
            if (wait != null) {
                wait.close();
                wait = null;
            }
        }

        @Override
        public boolean isFinished() {
            return source.isFinished();
        }

        @Override
        public boolean isReady() {
            return source.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            source.setReadListener(listener);
        }
    }
}
