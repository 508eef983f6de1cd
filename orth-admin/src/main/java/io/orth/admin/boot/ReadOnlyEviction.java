package io.orth.admin.boot;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** Lets go of connections to a server that has become read-only: after a failover the primary is elsewhere. */
final class ReadOnlyEviction implements SQLExceptionOverride {

    private static final String READ_ONLY = "25006";

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return READ_ONLY.equals(failure.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
