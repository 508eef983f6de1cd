package io.orth.admin.security;

import java.time.Clock;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The audit log over a test's database, for tests of other features. */
public final class TestAudit {

    private TestAudit() {}

    public static AuditLog over(JdbcClient jdbc, Clock clock) {
        return new AuditLog(jdbc, clock);
    }
}
