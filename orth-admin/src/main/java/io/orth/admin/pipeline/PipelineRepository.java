package io.orth.admin.pipeline;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of what pipelines are. */
final class PipelineRepository {

    private static final String SELECT = """
            select p.name, p.description, p.version, p.paused, p.stages, p.updated_by, p.updated_at,
                   array(select s.name from orth_pipeline_stage s where s.pipeline = p.name and s.paused) as paused_stages
              from orth_pipeline p
            """;

    /** Two who define it for the first time at once come one after the other. */
    private static final String MAKE_ROOM = """
            insert into orth_pipeline (name, version, description, stages, updated_by, updated_at)
            values (:name, 0, '', '[]', :by, now())
            on conflict (name) do nothing
            """;

    private static final String WRITE = """
            update orth_pipeline
               set version = :version, description = :description, stages = :stages::jsonb, updated_by = :by, updated_at = now()
             where name = :name
            """;

    private static final String KEEP = """
            insert into orth_pipeline_version (pipeline, version, description, stages, created_by, created_at)
            values (:name, :version, :description, :stages::jsonb, :by, now())
            """;

    private static final String ADD_STAGES = """
            insert into orth_pipeline_stage (pipeline, name)
            select :pipeline, name from unnest(:names) as s(name) order by name
            on conflict (pipeline, name) do nothing
            """;

    private static final String VERSIONS = """
            select version, description, stages, created_by, created_at
              from orth_pipeline_version
             where pipeline = :name
             order by version desc
             limit :limit
            """;

    private final JdbcClient jdbc;

    PipelineRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Pipeline> find(String name) {
        return jdbc.sql(SELECT + " where p.name = :name")
                .param("name", name)
                .query((row, n) -> read(row))
                .optional();
    }

    /** Whether there was none of this name; now there is one without stages, which the same transaction has to define. */
    boolean makeRoom(String name, String by) {
        return jdbc.sql(MAKE_ROOM).param("name", name).param("by", by).update() > 0;
    }

    /** It is neither deleted nor defined anew until the transaction has ended. */
    Optional<Pipeline> enter(String name) {
        return jdbc.sql(SELECT + " where p.name = :name for key share of p")
                .param("name", name)
                .query((row, n) -> read(row))
                .optional();
    }

    /** Nobody submits to it or begins with its tasks until the transaction has ended. */
    Optional<Pipeline> lock(String name) {
        return jdbc.sql(SELECT + " where p.name = :name for update of p")
                .param("name", name)
                .query((row, n) -> read(row))
                .optional();
    }

    List<Pipeline> list() {
        return jdbc.sql(SELECT + " order by p.name")
                .query((row, n) -> read(row))
                .list();
    }

    void write(PipelineSpec spec, int version, String by) {
        for (String statement : List.of(WRITE, KEEP)) {
            jdbc.sql(statement)
                    .param("name", spec.name())
                    .param("version", version)
                    .param("description", spec.description())
                    .param("stages", writeStages(spec.stages()))
                    .param("by", by)
                    .update();
        }
        jdbc.sql(ADD_STAGES)
                .param("pipeline", spec.name())
                .param("names", SqlArrays.texts(spec.stages(), Stage::name))
                .update();
    }

    void delete(String name) {
        jdbc.sql("delete from orth_pipeline where name = :name")
                .param("name", name)
                .update();
    }

    List<PipelineVersion> versions(String name, int limit) {
        return jdbc.sql(VERSIONS)
                .param("name", name)
                .param("limit", limit)
                .query((row, n) -> new PipelineVersion(
                        row.getInt("version"),
                        row.getString("description"),
                        readStages(row.getString("stages")),
                        row.getString("created_by"),
                        SqlRows.instant(row, "created_at")))
                .list();
    }

    /** The ids of stages, by name. */
    Map<String, Integer> stageIds(String pipeline) {
        Map<String, Integer> ids = new HashMap<>();
        jdbc.sql("select id, name from orth_pipeline_stage where pipeline = :pipeline")
                .param("pipeline", pipeline)
                .query(row -> {
                    ids.put(row.getString("name"), row.getInt("id"));
                });
        return ids;
    }

    void pause(String name, boolean paused) {
        jdbc.sql("update orth_pipeline set paused = :paused where name = :name")
                .param("name", name)
                .param("paused", paused)
                .update();
    }

    /** Whoever begins with one of its tasks is waited for. */
    void pauseStage(String pipeline, String stage, boolean paused) {
        jdbc.sql("select id from orth_pipeline_stage where pipeline = :pipeline and name = :stage for update")
                .param("pipeline", pipeline)
                .param("stage", stage)
                .query(Integer.class)
                .list();
        jdbc.sql("update orth_pipeline_stage set paused = :paused where pipeline = :pipeline and name = :stage")
                .param("pipeline", pipeline)
                .param("stage", stage)
                .param("paused", paused)
                .update();
    }

    /** Whoever begins with a task is waited for. */
    void pauseAll(boolean paused) {
        jdbc.sql("select one from orth_pipeline_switch for update")
                .query(Boolean.class)
                .list();
        jdbc.sql("update orth_pipeline_switch set paused = :paused")
                .param("paused", paused)
                .update();
    }

    boolean allPaused() {
        return jdbc.sql("select paused from orth_pipeline_switch")
                .query(Boolean.class)
                .single();
    }

    Instant now() {
        return jdbc.sql("select clock_timestamp() as at")
                .query((row, n) -> SqlRows.instant(row, "at"))
                .single();
    }

    static String writeStages(List<Stage> stages) {
        return JsonText.of(stages.stream().map(Stage::toJson).toList());
    }

    static List<Stage> readStages(String text) {
        List<Stage> stages = new ArrayList<>();
        Json.readArray(text.getBytes(StandardCharsets.UTF_8)).forEach(json -> stages.add(Stage.from(json)));
        return stages;
    }

    private static Pipeline read(ResultSet row) throws SQLException {
        return new Pipeline(
                row.getString("name"),
                row.getString("description"),
                row.getInt("version"),
                row.getBoolean("paused"),
                readStages(row.getString("stages")),
                Set.of((String[]) row.getArray("paused_stages").getArray()),
                row.getString("updated_by"),
                SqlRows.instant(row, "updated_at"));
    }
}
