package io.orth.admin.pipeline;

import io.orth.admin.kernel.SqlArrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is paused. Whoever looks holds the rows for key share, so that whoever pauses waits for those who have begun. */
final class KillSwitches {

    private static final String ALL = "select paused from orth_pipeline_switch for key share";

    private static final String PIPELINES =
            "select name, paused from orth_pipeline where name = any(:names) order by name for key share";

    private static final String STAGES =
            "select id, pipeline, paused from orth_pipeline_stage where id = any(:ids) order by id for key share";

    private record Row(int id, String pipeline, boolean paused) {}

    private final JdbcClient jdbc;

    KillSwitches(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Those of these stages of which nothing may begin. */
    Set<Integer> paused(Collection<Integer> stages) {
        if (jdbc.sql(ALL).query(Boolean.class).single()) {
            return Set.copyOf(stages);
        }
        List<Row> rows = jdbc.sql(STAGES)
                .param("ids", SqlArrays.integers(stages, id -> id))
                .query((row, n) -> new Row(row.getInt("id"), row.getString("pipeline"), row.getBoolean("paused")))
                .list();
        Set<String> pipelines = new HashSet<>();
        jdbc.sql(PIPELINES)
                .param(
                        "names",
                        SqlArrays.texts(
                                rows.stream().map(Row::pipeline).distinct().toList(), name -> name))
                .query(row -> {
                    if (row.getBoolean("paused")) {
                        pipelines.add(row.getString("name"));
                    }
                });
        Set<Integer> paused = new HashSet<>();
        rows.stream()
                .filter(row -> row.paused() || pipelines.contains(row.pipeline()))
                .forEach(row -> paused.add(row.id()));
        return paused;
    }
}
