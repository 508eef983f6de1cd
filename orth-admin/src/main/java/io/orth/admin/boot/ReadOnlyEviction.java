package io.orth.admin.boot;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** Eviction of pooled connections to a server that has become read-only: after a failover the primary is another server. */
final class ReadOnlyEviction implements SQLExceptionOverride {

    private static final String READ_ONLY = "25006";

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return READ_ONLY.equals(failure.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
