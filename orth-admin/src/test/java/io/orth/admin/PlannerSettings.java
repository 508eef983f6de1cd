package io.orth.admin;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Planner settings of PostgreSQL for tests of query plans. */
final class PlannerSettings {

    private PlannerSettings() {}

    /** Applies to new connections to this database, as in the admin's pool. */
    static void asInThePool(JdbcClient jdbc) {
        switchOff(jdbc, "enable_seqscan");
        switchOff(jdbc, "enable_bitmapscan");
    }

    /** The same; and without parameters, as statements are explained, all partitions would be left out. */
    static void asInThePoolWithAllPartitions(JdbcClient jdbc) {
        asInThePool(jdbc);
        switchOff(jdbc, "enable_partition_pruning");
    }

    private static void switchOff(JdbcClient jdbc, String setting) {
        jdbc.sql("do $$ begin execute format('alter database %%I set %s = off', current_database()); end $$"
                        .formatted(setting))
                .update();
    }
}
