package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies that are too large: at once where the length is announced, else when too much has been read. */
final class BodyLimitFilter extends OncePerRequestFilter {

    private final DataSize largest;
    private final ProblemWriter problems;

    BodyLimitFilter(DataSize largest, ProblemWriter problems) {
        this.largest = largest;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > largest.toBytes()) {
            problems.write(request, response, tooLarge());
        } else {
            chain.doFilter(new Limited(request), response);
        }
    }

    private OrthException tooLarge() {
        return OrthException.of(ErrorCode.TOO_LARGE, "a body may have %d bytes".formatted(largest.toBytes()));
    }

    private final class Limited extends HttpServletRequestWrapper {

        private ServletInputStream body;

        Limited(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (body == null) {
                body = new LimitedStream(super.getInputStream());
            }
            return body;
        }

        @Override
        public BufferedReader getReader() throws IOException {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }

    private final class LimitedStream extends ServletInputStream {

        private final ServletInputStream source;
        private long left = largest.toBytes();

        LimitedStream(ServletInputStream source) {
            this.source = source;
        }

        @Override
        public int read() throws IOException {
            int read = source.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = source.read(target, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int bytes) {
            left -= bytes;
            if (left < 0) {
                throw tooLarge();
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
