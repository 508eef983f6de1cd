package io.orth.admin.pipeline;

import io.orth.admin.kernel.SqlArrays;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of retries that somebody asked for and the reconciler carries out, part by part. The caller has locked the run. */
final class Reopening {

    /** Where two ask before the first is done, both are done. */
    private static final String NOTE = """
            update orth_pipeline_run
               set retry_tasks = case when retry_from is null then :only::bigint[]
                                      when retry_tasks is null or :only::bigint[] is null then null
                                      else retry_tasks || :only::bigint[] end,
                   retry_from = least(retry_from, :from), retry_to = greatest(retry_to, :to),
                   stage = least(stage, :from), settled = false, look_at = clock_timestamp()
             where id = :root
            """;

    /** Their tasks stay; whether there are more of them is to be seen anew. */
    private static final String CLEAR_LATER = """
            update orth_pipeline_progress set expected = null, fanned_out_to = 0 where root_id = :root and stage > :from
            """;

    /** @param only some of them; null for all */
    record Pending(int from, int to, List<Long> only) {}

    private final JdbcClient jdbc;

    Reopening(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void note(PipelineRun run, int from, int to, Collection<Long> only) {
        jdbc.sql(NOTE)
                .param("root", run.id())
                .param("from", from)
                .param("to", to)
                .param("only", only == null ? null : SqlArrays.bigints(only, id -> id))
                .update();
        jdbc.sql(CLEAR_LATER).param("root", run.id()).param("from", from).update();
    }

    Optional<Pending> pending(long root) {
        return jdbc.sql("""
                        select retry_from, retry_to, retry_tasks
                          from orth_pipeline_run
                         where id = :root
                           and retry_from is not null
                        """)
                .param("root", root)
                .query((row, n) -> new Pending(
                        row.getInt("retry_from"),
                        row.getInt("retry_to"),
                        row.getArray("retry_tasks") == null
                                ? null
                                : Arrays.asList(
                                        (Long[]) row.getArray("retry_tasks").getArray())))
                .optional();
    }

    void done(long root) {
        jdbc.sql("""
                        update orth_pipeline_run
                           set retry_tasks = null, retry_from = null, retry_to = null
                         where id = :root
                        """).param("root", root).update();
    }
}
