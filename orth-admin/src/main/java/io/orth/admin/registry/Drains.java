package io.orth.admin.registry;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** Drain requests of operators. */
@Component
public class Drains {

    private final Executors executors;
    private final Drainer drainer;

    public Drains(Executors executors, Drainer drainer) {
        this.executors = executors;
        this.drainer = drainer;
    }

    /**
     * Drains an executor: from now on it gets no new work, and it deregisters once it has finished and reported its current work. Has no
     * effect on an executor that is already draining. The executor is called outside of transactions.
     */
    public Executor drain(String instanceId) throws InterruptedException {
        Target target = executors.target(instanceId);
        if (target.isForeign()) {
            throw OrthException.of(
                    ErrorCode.CONFLICT,
                    "the executor at %s speaks XXL-JOB's wire, which knows no draining: stop it instead"
                            .formatted(target.address()));
        }
        if (!target.online()) {
            throw OrthException.of(
                    ErrorCode.CONFLICT,
                    "the executor at %s is not online, so it gets no work anyway".formatted(target.address()));
        }
        try {
            drainer.drain(target);
        } catch (IOException e) {
            throw OrthException.of(
                    ErrorCode.EXECUTOR_UNREACHABLE,
                    "the executor at %s could not be told to drain: %s".formatted(target.address(), e.getMessage()));
        }
        executors.markDraining(target);
        return executors.get(instanceId);
    }
}
