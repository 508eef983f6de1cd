package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Target to which the servlet container forwards errors that no controller or filter has handled. */
@Hidden
@RestController
final class ProblemPage implements ErrorController {

    @Access.Public
    @RequestMapping("${server.error.path:/error}")
    void answer(HttpServletRequest request) {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        if (!(status instanceof Integer number)) {
            throw OrthException.of(ErrorCode.NOT_FOUND, "there is nothing at this address");
        }
        throw OrthException.of(codeOf(number), "the call could not be answered");
    }

    /** Returns the code with this status, or the closest one if there is none. */
    static ErrorCode codeOf(int status) {
        for (ErrorCode code : ErrorCode.values()) {
            if (code.status() == status) {
                return code;
            }
        }
        return status < 500 ? ErrorCode.INVALID_INPUT : ErrorCode.INTERNAL;
    }
}
