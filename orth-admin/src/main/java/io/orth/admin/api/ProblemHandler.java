package io.orth.admin.api;

import io.orth.admin.kernel.DatabaseTrouble;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.security.TooManyTriesException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.validation.BindException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingRequestValueException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.util.DisconnectedClientHelper;

/** Translation of all exceptions of a call into a {@link Problem}. Details on which callers cannot act are omitted. */
@RestControllerAdvice
final class ProblemHandler extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ProblemHandler.class);
    private static final String RETRY_AFTER_SECONDS = "5";

    @ExceptionHandler
    ResponseEntity<Object> refused(OrthException e, HttpServletRequest request) {
        return answer(e.code(), e.getMessage(), e.fields(), headersFor(e.code()), request);
    }

    @ExceptionHandler
    ResponseEntity<Object> tooManyTries(TooManyTriesException e, HttpServletRequest request) {
        long seconds = Math.max(1, e.retryAfter().plusMillis(999).toSeconds());
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        String detail = "too many tries: wait %d s".formatted(seconds);
        return answer(ErrorCode.TOO_MANY_REQUESTS, detail, List.of(), headers, request);
    }

    @ExceptionHandler
    ResponseEntity<Object> notAuthenticated(AuthenticationException e, HttpServletRequest request) {
        return plain(ErrorCode.NOT_AUTHENTICATED, "log in, or send a valid API token", request);
    }

    @ExceptionHandler
    ResponseEntity<Object> notAllowed(AccessDeniedException e, HttpServletRequest request) {
        String detail = e instanceof CsrfException
                ? "the header X-XSRF-TOKEN must repeat the cookie XSRF-TOKEN"
                : "your role does not allow this";
        return plain(ErrorCode.NOT_ALLOWED, detail, request);
    }

    private static ResponseEntity<Object> databaseUnavailable(Exception e, HttpServletRequest request) {
        log.atWarn()
                .addKeyValue("path", request.getRequestURI())
                .addKeyValue("cause", e.toString())
                .log("refused a call because the database did not answer");
        return plain(ErrorCode.UNAVAILABLE, "the database does not answer; try again", request);
    }

    @ExceptionHandler
    ResponseEntity<Object> unexpected(Exception e, HttpServletRequest request) {
        if (DisconnectedClientHelper.isClientDisconnectedException(e)) {
            return null;
        }
        if (DatabaseTrouble.isCauseOf(e)) {
            return databaseUnavailable(e, request);
        }
        log.atError()
                .addKeyValue("method", request.getMethod())
                .addKeyValue("path", request.getRequestURI())
                .setCause(e)
                .log("a call failed");
        return plain(ErrorCode.INTERNAL, "something went wrong here; the log has more under this trace id", request);
    }

    /** Overridden because the original logs a warning, which any caller could cause. */
    @Override
    protected ResponseEntity<Object> handleHttpRequestMethodNotSupported(
            HttpRequestMethodNotSupportedException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return handleExceptionInternal(e, null, headers, status, request);
    }

    /** Handles everything that Spring MVC itself rejects. */
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception e, Object body, HttpHeaders headers, HttpStatusCode status, WebRequest webRequest) {
        HttpServletRequest request = ((ServletWebRequest) webRequest).getRequest();
        if (status.value() == ErrorCode.UNAVAILABLE.status()) {
            return plain(ErrorCode.UNAVAILABLE, "the answer took too long; try again", request);
        }
        if (status.is5xxServerError()) {
            return unexpected(e, request);
        }
        if (e instanceof HttpMessageNotReadableException unreadable) {
            return invalid(ProblemField.of(unreadable), headers, request);
        }
        if (e instanceof MissingServletRequestParameterException missing) {
            return invalid(new FieldError(missing.getParameterName(), "is missing"), headers, request);
        }
        if (e instanceof MethodArgumentTypeMismatchException wrong) {
            Class<?> single = wrong.getParameter().nested().getNestedParameterType();
            return invalid(ProblemField.wrongType(wrong.getName(), single), headers, request);
        }
        if (e instanceof BindException unbound && unbound.getFieldError() != null) {
            TypeMismatchException wrong = unbound.getFieldError().unwrap(TypeMismatchException.class);
            return invalid(ProblemField.wrongType(wrong.getPropertyName(), wrong.getRequiredType()), headers, request);
        }
        ErrorCode code = ProblemPage.codeOf(status.value());
        return answer(code, detailOf(e, code), List.of(), headers, request);
    }

    private static String detailOf(Exception e, ErrorCode code) {
        return switch (code) {
            case NOT_FOUND -> "there is nothing at this address";
            case METHOD_NOT_ALLOWED -> "this address does not answer to this method";
            case UNSUPPORTED_MEDIA_TYPE -> "send application/json";
            case TOO_LARGE -> "the request is too large";
            default ->
                e instanceof MissingRequestValueException || e instanceof TypeMismatchException
                        ? "a part of the request is missing or malformed"
                        : "the request is malformed";
        };
    }

    private static HttpHeaders headersFor(ErrorCode code) {
        HttpHeaders headers = new HttpHeaders();
        if (code == ErrorCode.UNAVAILABLE) {
            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if (code == ErrorCode.NOT_AUTHENTICATED) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"orth\"");
        }
        return headers;
    }

    private static ResponseEntity<Object> invalid(FieldError error, HttpHeaders headers, HttpServletRequest request) {
        if (error.field().isEmpty()) {
            return answer(ErrorCode.INVALID_INPUT, error.message(), List.of(), headers, request);
        }
        String detail = error.field() + " " + error.message();
        return answer(ErrorCode.INVALID_INPUT, detail, List.of(error), headers, request);
    }

    private static ResponseEntity<Object> plain(ErrorCode code, String detail, HttpServletRequest request) {
        return answer(code, detail, List.of(), headersFor(code), request);
    }

    private static ResponseEntity<Object> answer(
            ErrorCode code, String detail, List<FieldError> errors, HttpHeaders headers, HttpServletRequest request) {
        return ResponseEntity.status(code.status())
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(Problem.of(code, detail, errors, TraceId.of(request)));
    }
}
