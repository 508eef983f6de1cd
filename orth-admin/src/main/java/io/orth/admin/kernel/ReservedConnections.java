package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A data source that reserves connections for the work that keeps the cluster alive: node lease, cluster leases, clock and heartbeats.
 * They stay available when the shared connections are exhausted, for example by a slow queue.
 */
public final class ReservedConnections extends AbstractDataSource {

    /** Set while the thread does work that uses reserved connections. */
    private static final ThreadLocal<Boolean> RESERVED = new ThreadLocal<>();

    private final DataSource shared;
    private final DataSource reserved;

    public ReservedConnections(DataSource shared, DataSource reserved) {
        this.shared = shared;
        this.reserved = reserved;
    }

    /** Runs {@code work} on reserved connections. A transaction that is already open keeps its connection. */
    public static <T> T call(Supplier<T> work) {
        Boolean before = RESERVED.get();
        RESERVED.set(Boolean.TRUE);
        try {
            return work.get();
        } finally {
            restore(before);
        }
    }

    /** Wraps {@code duty} so that each pass runs on reserved connections. */
    public static Duty duty(Duty duty) {
        return new Duty() {
            @Override
            public Pass run() throws Exception {
                Boolean before = RESERVED.get();
                RESERVED.set(Boolean.TRUE);
                try {
                    return duty.run();
                } finally {
                    restore(before);
                }
            }

            @Override
            public void ended() {
                call(() -> {
                    duty.ended();
                    return null;
                });
            }
        };
    }

    private static void restore(Boolean before) {
        if (before == null) {
            RESERVED.remove();
        } else {
            RESERVED.set(before);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return (RESERVED.get() == null ? shared : reserved).getConnection();
    }

    @Override
    public Connection getConnection(String username, String password) {
        throw new UnsupportedOperationException("connections are those of the configured user");
    }
}
