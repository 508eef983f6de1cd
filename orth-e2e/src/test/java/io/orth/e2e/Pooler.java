package io.orth.e2e;

import io.orth.testkit.PgBouncer;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Puts a pooler before the databases of tests. One class of tests runs at a time. */
final class Pooler implements BeforeAllCallback, AfterAllCallback {

    static final String SETTING = "orth.database.pooler=true";

    /** Fewer than one admin has connections. */
    private static final int SESSIONS = 6;

    private static final boolean ALWAYS = Boolean.getBoolean("orth.pooler");

    private static volatile boolean wanted = ALWAYS;

    @Override
    public void beforeAll(ExtensionContext context) {
        Assumptions.assumeTrue(PgBouncer.program().isPresent(), "-Dorth.pgbouncer");
        wanted = true;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        wanted = ALWAYS;
    }

    /** Empty unless the tests that run now are to go through one; it knows one server only. */
    static Optional<PgBouncer> before(Database database) {
        return wanted && !database.url().contains(",")
                ? Optional.of(PgBouncer.before(database.url(), database.user(), database.password(), SESSIONS))
                : Optional.empty();
    }
}
