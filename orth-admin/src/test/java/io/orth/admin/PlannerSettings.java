package io.orth.admin;

import org.springframework.jdbc.core.simple.JdbcClient;

/** What PostgreSQL's planner may choose from, for those who look at plans. */
final class PlannerSettings {

    private PlannerSettings() {}

    /** From now on, for whoever connects to this database: as the admin's pool has it. */
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
