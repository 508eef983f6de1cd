package io.orth.admin.triggering;

import java.io.IOException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;

/** Thrown if an executor, or another server at its address, has rejected a request: nothing was done. */
final class RequestRejectedException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    RequestRejectedException(String message) {
        super(message);
    }

    /** Returns whether a request with this failure was certainly not carried out. */
    static boolean isCertain(IOException failure) {
        return failure instanceof RequestRejectedException
                || failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException;
    }
}
