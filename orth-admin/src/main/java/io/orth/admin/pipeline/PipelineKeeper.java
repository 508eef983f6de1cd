package io.orth.admin.pipeline;

import io.orth.admin.kernel.Transactions;
import io.orth.runtime.Duty.Pass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Deletes finished runs with all their rows after their retention, in small batches, and sent outbox entries. */
@Component
final class PipelineKeeper {

    static final int BATCH = 1_000;

    /** In this order because of references between the tables. */
    private static final List<String> PARTS = List.of(
            part("orth_content_log", "no"),
            part("orth_execution_log", "no"),
            part("orth_outbox", "id"),
            part("orth_pipeline_proposal", "id"),
            part("orth_pipeline_task", "id"),
            part("orth_pipeline_delta", "no"));

    private static final String OLD = """
            select id
              from orth_pipeline_run
             where settled
               and finished_at < clock_timestamp() - ? * interval '1 millisecond'
             order by finished_at, id
             limit 1
               for update skip locked
            """;

    private final JdbcClient jdbc;
    private final OutboxRepository outbox;
    private final Transactions transactions;
    private final PipelineProperties properties;

    PipelineKeeper(JdbcClient jdbc, PipelineTables tables, Transactions transactions, PipelineProperties properties) {
        this.jdbc = jdbc;
        this.outbox = tables.outbox;
        this.transactions = transactions;
        this.properties = properties;
    }

    private static String part(String table, String key) {
        return """
                delete from %1$s
                 where %2$s = any(array(select %2$s from %1$s where root_id = ? order by %2$s limit ?))
                """.formatted(table, key);
    }

    Pass run() {
        int sent = transactions.call(() -> outbox.prune(properties.outbox().keepSent(), BATCH));
        boolean removed = transactions.call(() -> prune(properties.keepRuns()));
        return removed || sent == BATCH ? Pass.MORE : Pass.DRAINED;
    }

    /** Returns whether a run with expired retention was found. */
    boolean prune(Duration keep) {
        Optional<Long> old =
                jdbc.sql(OLD).params(keep.toMillis()).query(Long.class).optional();
        old.ifPresent(root -> {
            for (String part : PARTS) {
                if (jdbc.sql(part).params(root, BATCH).update() == BATCH) {
                    return;
                }
            }
            jdbc.sql("delete from orth_pipeline_progress where root_id = ?")
                    .params(root)
                    .update();
            jdbc.sql("delete from orth_pipeline_run where id = ?").params(root).update();
        });
        return old.isPresent();
    }
}
