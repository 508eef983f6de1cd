package io.orth.admin.xxlimport;

import io.orth.admin.kernel.OrthException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Optional;

/** Maps a connection failure to the input field that caused it. */
final class ConnectFailure {

    private static final String WRONG_CREDENTIALS = "28";
    private static final int NO_SUCH_DATABASE = 1049;
    /** Error of a server for any other database, if the user has rights for individual databases only. */
    private static final int DATABASE_DENIED = 1044;

    private ConnectFailure() {}

    static OrthException of(SQLException failure, XxlJobServer server, XxlJobDatabase.Patience patience) {
        if (failure.getErrorCode() == NO_SUCH_DATABASE || failure.getErrorCode() == DATABASE_DENIED) {
            return OrthException.invalid(
                    "database", "is not on the server, or not for this user: " + server.database());
        }
        if (String.valueOf(failure.getSQLState()).startsWith(WRONG_CREDENTIALS)) {
            return OrthException.invalid("password", "and user are refused by the server");
        }
        return ofNetwork(failure, server, patience);
    }

    private static OrthException ofNetwork(
            SQLException failure, XxlJobServer server, XxlJobDatabase.Patience patience) {
        Optional<GuardedSocketFactory.RefusedHost> refused = cause(failure, GuardedSocketFactory.RefusedHost.class);
        if (refused.isPresent()) {
            return OrthException.invalid("host", "is refused: " + refused.get().getMessage());
        }
        if (cause(failure, UnknownHostException.class).isPresent()) {
            return OrthException.invalid("host", "is not known: " + server.host());
        }
        if (cause(failure, ConnectException.class).isPresent()
                || cause(failure, NoRouteToHostException.class).isPresent()) {
            return OrthException.invalid("host", "takes no connections at port %d".formatted(server.port()));
        }
        if (server.tls() && cause(failure, SocketTimeoutException.class).isEmpty()) {
            return OrthException.invalid(
                    "tls", "is not possible: the server has none, or its certificate is not trusted for this host");
        }
        return OrthException.invalid(
                "host",
                "did not answer at port %d as a MySQL or MariaDB server does, within %d s"
                        .formatted(server.port(), Math.max(1, patience.connect().toSeconds())));
    }

    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }
}
