package io.orth.admin.registry;

import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRunsRequest;
import java.io.IOException;

/** Client that asks an Orth executor about work by log ids. */
@FunctionalInterface
public interface WorkInquiry {

    /** Returns the executor's response. Throws unless the instance {@code target} responds. */
    KnownRuns known(Target target, KnownRunsRequest question) throws IOException, InterruptedException;
}
