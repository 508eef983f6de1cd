package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import java.nio.file.Path;
import java.sql.Types;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Prevents a copy of a database from repeating the original's work. The database stores its origin: the system identifier of its cluster
 * (which standbys share), its own oid, and, for Orth's embedded database, the data directory (which detects copied files). If one of
 * these has changed, the database was restored, cloned or moved. It then becomes an installation of its own and stays paused until an
 * administrator resumes it.
 */
public final class InstallationGuard implements Duty {

    /** Notification channel for a resumed installation. */
    public static final String SIGNALS = "orth_installation";

    private static final String MAY_READ_SYSTEM = "select has_function_privilege('pg_control_system()', 'execute')";

    private static final String DATABASE =
            "select oid::bigint as database, %s as system from pg_database where datname = current_database()";

    private static final String SYSTEM = "(select system_identifier::text from pg_control_system())";

    private static final String ENTER = """
            insert into orth_installation (id, system_identifier, database_oid, data_directory)
            values (:id, :system, :database, :directory)
            on conflict do nothing
            """;

    private static final String READ = """
            select id, system_identifier as system, database_oid as database, data_directory as directory, copied_from_id,
                   paused_at, pause_reason
              from orth_installation
            """;

    private static final String PAUSE = """
            update orth_installation
               set id = :id, copied_from_id = id, system_identifier = :system, database_oid = :database, data_directory = :directory,
                   paused_at = now(), pause_reason = :reason
            """;

    /** Fills in values that an earlier admin could not read. */
    private static final String COMPLETE = """
            update orth_installation
               set system_identifier = coalesce(system_identifier, :system), data_directory = coalesce(data_directory, :directory)
            """;

    private static final String RESUME = "update orth_installation set paused_at = null, pause_reason = null";

    private static final RowMapper<Place> PLACE = new SimplePropertyRowMapper<>(Place.class);
    private static final RowMapper<State> STATE = new SimplePropertyRowMapper<>(State.class);

    private static final Logger log = LoggerFactory.getLogger(InstallationGuard.class);

    /** Reason for which an installation is paused. */
    public enum PauseReason {
        /** The origin of the database has changed. */
        COPIED,
        /** An admin was started with {@code orth.installation.start-paused}. */
        START_PAUSED
    }

    /**
     * An installation and its pause state.
     *
     * @param copiedFromId installation this database is a copy of; may be null
     * @param pausedAt null if live, as is {@code pauseReason}
     */
    public record State(UUID id, UUID copiedFromId, Instant pausedAt, PauseReason pauseReason) {

        public boolean isPaused() {
            return pausedAt != null;
        }

        /** Returns a text for people; only valid if paused. */
        public String explanation() {
            String why = pauseReason == PauseReason.COPIED
                    ? "its database is a copy of that of installation %s, or was moved".formatted(copiedFromId)
                    : "an admin was started with orth.installation.start-paused";
            return ("installation %s is paused, because %s: no schedule fires, and nothing is sent to executors, webhooks or mail, "
                            + "until an administrator resumes it in the console, with orth cli installation resume or by POST"
                            + " /api/installation/resume")
                    .formatted(id, why);
        }
    }

    /**
     * Origin of a database.
     *
     * @param system null if it cannot be read
     * @param directory data directory of the embedded database; null for any other
     */
    private record Place(String system, long database, String directory) {

        boolean isElsewhere(Place before) {
            return isOther(system, before.system())
                    || database != before.database()
                    || isOther(directory, before.directory());
        }

        private static boolean isOther(String now, String before) {
            return now != null && before != null && !now.equals(before);
        }
    }

    private record Row(Place place, State state) {}

    private final JdbcClient jdbc;
    private final Transactions transactions;
    private final String directory;
    private volatile State state;
    private volatile Runnable onResume = () -> {};

    /**
     * Checks the origin in the constructor, so that no work starts before the pause state is known.
     *
     * @param directory real path of the embedded database; null for any other
     */
    public InstallationGuard(JdbcClient jdbc, Transactions transactions, Path directory, boolean startPaused) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.directory = directory == null ? null : directory.toString();
        this.state = transactions.call(() -> identify(startPaused));
        if (state.isPaused()) {
            log.warn(state.explanation());
        }
    }

    /** Sets the action to run on this node once any node has resumed the installation. */
    public void onResume(Runnable action) {
        onResume = action;
    }

    public State state() {
        return state;
    }

    public String id() {
        return state.id().toString();
    }

    public boolean isPaused() {
        return state.isPaused();
    }

    /** Detects changes made by other nodes, and a database that was exchanged under a running node. */
    @Override
    public Pass run() {
        Place now = place();
        Row row = read("").orElse(null);
        enter(row == null || now.isElsewhere(row.place()) ? transactions.call(() -> identify(false)) : row.state());
        return Pass.DRAINED;
    }

    /** Resumes the installation on all nodes. */
    public void resume() {
        transactions.run(() -> {
            jdbc.sql(RESUME).update();
            jdbc.sql("select pg_notify('%s', '')::text".formatted(SIGNALS))
                    .query(String.class)
                    .optional();
        });
        run();
    }

    private void enter(State now) {
        State before = state;
        state = now;
        if (now.isPaused() && !before.isPaused()) {
            log.warn(now.explanation());
        } else if (before.isPaused() && !now.isPaused()) {
            log.atInfo().addKeyValue("installation", now.id()).log("the installation was resumed");
            onResume.run();
        }
    }

    private State identify(boolean startPaused) {
        Place now = place();
        set(ENTER, now).param("id", UUID.randomUUID()).update();
        Row row = read("for update").orElseThrow();
        if (now.isElsewhere(row.place())) {
            log.atWarn()
                    .addKeyValue("recorded", row.place())
                    .addKeyValue("found", now)
                    .log("the database is not where it was");
            pause(now, PauseReason.COPIED);
        } else if (startPaused && !row.state().isPaused()) {
            pause(now, PauseReason.START_PAUSED);
        } else {
            set(COMPLETE, now).update();
        }
        return read("").orElseThrow().state();
    }

    private void pause(Place now, PauseReason reason) {
        set(PAUSE, now)
                .param("id", UUID.randomUUID())
                .param("reason", reason.name())
                .update();
    }

    private JdbcClient.StatementSpec set(String sql, Place place) {
        return jdbc.sql(sql)
                .param("system", place.system(), Types.VARCHAR)
                .param("database", place.database())
                .param("directory", place.directory(), Types.VARCHAR);
    }

    private Place place() {
        boolean mayRead = jdbc.sql(MAY_READ_SYSTEM).query(Boolean.class).single();
        return jdbc.sql(DATABASE.formatted(mayRead ? SYSTEM : "null::text"))
                .query((row, n) -> new Place(row.getString("system"), row.getLong("database"), directory))
                .single();
    }

    private Optional<Row> read(String lock) {
        return jdbc.sql(READ + lock)
                .query((row, n) -> new Row(PLACE.mapRow(row, n), STATE.mapRow(row, n)))
                .optional();
    }
}
