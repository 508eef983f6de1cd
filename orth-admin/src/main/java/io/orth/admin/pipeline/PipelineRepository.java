package io.orth.admin.pipeline;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of pipeline definitions. */
final class PipelineRepository {

    private static final String SELECT = """
            select p.name, p.description, p.version, p.paused, p.stages, p.updated_by, p.updated_at,
                   array(select s.name from orth_pipeline_stage s where s.pipeline = p.name and s.paused) as paused_stages
              from orth_pipeline p
            """;

    /** Serializes concurrent first definitions of the same pipeline. */
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

    private static final String SWITCHES_OF_STAGES =
            "select id, pipeline, paused from orth_pipeline_stage where id = any(:ids) order by id for key share";

    private static final String SWITCHES_OF_PIPELINES =
            "select name, paused from orth_pipeline where name = any(:names) order by name for key share";

    private static final RowMapper<Pipeline> PIPELINE = (row, n) -> new Pipeline(
            row.getString("name"),
            row.getString("description"),
            row.getInt("version"),
            row.getBoolean("paused"),
            readStages(row.getString("stages")),
            Set.of((String[]) row.getArray("paused_stages").getArray()),
            row.getString("updated_by"),
            SqlRows.instant(row, "updated_at"));

    private record StageSwitch(int id, String pipeline, boolean paused) {}

    private final JdbcClient jdbc;

    PipelineRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Pipeline> find(String name) {
        return find(name, "");
    }

    /** Inserts a pipeline without stages and returns true if there is none of this name. The same transaction has to define it. */
    boolean makeRoom(String name, String by) {
        return jdbc.sql(MAKE_ROOM).param("name", name).param("by", by).update() > 0;
    }

    /** Prevents deletion and redefinition of the pipeline until the transaction ends. */
    Optional<Pipeline> enter(String name) {
        return find(name, " for key share of p");
    }

    /** Blocks submissions and task starts of the pipeline until the transaction ends. */
    Optional<Pipeline> lock(String name) {
        return find(name, " for update of p");
    }

    private Optional<Pipeline> find(String name, String lock) {
        return jdbc.sql(SELECT + " where p.name = ?" + lock)
                .params(name)
                .query(PIPELINE)
                .optional();
    }

    List<Pipeline> list() {
        return jdbc.sql(SELECT + " order by p.name").query(PIPELINE).list();
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
        jdbc.sql("delete from orth_pipeline where name = ?").params(name).update();
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

    void pause(String name, boolean paused) {
        jdbc.sql("update orth_pipeline set paused = ? where name = ?")
                .params(paused, name)
                .update();
    }

    /** Waits for transactions that are starting tasks of the stage. */
    void pauseStage(String pipeline, String stage, boolean paused) {
        jdbc.sql("select id from orth_pipeline_stage where pipeline = ? and name = ? for update")
                .params(pipeline, stage)
                .query(Integer.class)
                .list();
        jdbc.sql("update orth_pipeline_stage set paused = ? where pipeline = ? and name = ?")
                .params(paused, pipeline, stage)
                .update();
    }

    /** Waits for transactions that are starting tasks. */
    void pauseAll(boolean paused) {
        jdbc.sql("select one from orth_pipeline_switch for update")
                .query(Boolean.class)
                .list();
        jdbc.sql("update orth_pipeline_switch set paused = ?").params(paused).update();
    }

    /**
     * Returns the paused stages among these. Locks the rows for key share, so that pausing waits for transactions that are starting tasks.
     */
    Set<Integer> paused(Collection<Integer> stages) {
        if (jdbc.sql("select paused from orth_pipeline_switch for key share")
                .query(Boolean.class)
                .single()) {
            return Set.copyOf(stages);
        }
        List<StageSwitch> switches = jdbc.sql(SWITCHES_OF_STAGES)
                .param("ids", SqlArrays.integers(stages, id -> id))
                .query((row, n) ->
                        new StageSwitch(row.getInt("id"), row.getString("pipeline"), row.getBoolean("paused")))
                .list();
        Set<String> pipelines = new HashSet<>();
        jdbc.sql(SWITCHES_OF_PIPELINES)
                .param("names", SqlArrays.texts(switches, StageSwitch::pipeline))
                .query(row -> {
                    if (row.getBoolean("paused")) {
                        pipelines.add(row.getString("name"));
                    }
                });
        return switches.stream()
                .filter(stage -> stage.paused() || pipelines.contains(stage.pipeline()))
                .map(StageSwitch::id)
                .collect(Collectors.toSet());
    }

    boolean allPaused() {
        return jdbc.sql("select paused from orth_pipeline_switch")
                .query(Boolean.class)
                .single();
    }

    static String writeStages(List<Stage> stages) {
        return JsonText.of(stages.stream().map(Stage::toJson).toList());
    }

    static List<Stage> readStages(String text) {
        return Json.readArray(text.getBytes(StandardCharsets.UTF_8)).stream()
                .map(Stage::from)
                .toList();
    }
}
