package io.orth.admin.triggering;

import java.io.IOException;
import java.io.Serial;

/** An executor, or another server at its address, has rejected a request: nothing was done. */
final class RequestRejectedException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    RequestRejectedException(String message) {
        super(message);
    }
}
