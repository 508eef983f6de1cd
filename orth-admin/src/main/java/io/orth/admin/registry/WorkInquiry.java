package io.orth.admin.registry;

import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRunsRequest;
import java.io.IOException;

/** Asks an executor of Orth's own kind about work by its log ids. */
@FunctionalInterface
public interface WorkInquiry {

    /** Fails unless {@code target}'s very instance responds. */
    KnownRuns known(Target target, KnownRunsRequest question) throws IOException, InterruptedException;
}
