package io.orth.admin.boot;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;

/** Migration of the schema to the current version. Rejects a schema that a newer Orth has migrated: its tables may have another meaning. */
final class SchemaMigration implements FlywayMigrationStrategy {

    @Override
    public void migrate(Flyway flyway) {
        refuseNewer(flyway);
        flyway.migrate();
        // A newer admin may have migrated the schema in the meantime.
        refuseNewer(flyway);
    }

    private static void refuseNewer(Flyway flyway) {
        MigrationInfo[] all = flyway.info().all();
        newest(all, SchemaMigration::isNewer).ifPresent(version -> {
            throw new StartFailure(
                    ("the database's schema has version %s, but this admin knows versions up to %s: start a "
                                    + "newer Orth, or restore the backup made before the upgrade")
                            .formatted(
                                    version,
                                    newest(all, info -> info.getState().isResolved())
                                            .orElseThrow()));
        });
    }

    private static boolean isNewer(MigrationInfo info) {
        return info.getState() == MigrationState.FUTURE_SUCCESS || info.getState() == MigrationState.FUTURE_FAILED;
    }

    private static Optional<MigrationVersion> newest(MigrationInfo[] all, Predicate<MigrationInfo> which) {
        return Arrays.stream(all)
                .filter(which)
                .map(MigrationInfo::getVersion)
                .filter(version -> version != null)
                .max(Comparator.naturalOrder());
    }
}
