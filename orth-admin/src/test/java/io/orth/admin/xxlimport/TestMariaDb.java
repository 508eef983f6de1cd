package io.orth.admin.xxlimport;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The MariaDB of the test JVM; the first test class that needs it starts it, the end of the JVM stops it. */
public final class TestMariaDb implements BeforeAllCallback {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private MariaDbServer server;

    @Override
    public void beforeAll(ExtensionContext test) {
        server = test.getRoot()
                .getStore(ExtensionContext.Namespace.create(TestMariaDb.class))
                .computeIfAbsent(MariaDbServer.class, type -> MariaDbServer.start(), MariaDbServer.class);
    }

    public int port() {
        return server.port();
    }

    /** A database with the tables of that XXL-JOB and nothing in them. */
    public XxlJobTables xxlJob(XxlJobTables.Generation generation) {
        return XxlJobTables.create(server, "xxl_job_%d".formatted(NAMES.incrementAndGet()), generation);
    }
}
