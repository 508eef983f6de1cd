package io.orth.admin.declaration;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of job declarations. */
final class DeclarationRepository {

    private static final String SELECT = """
            select d.group_id, g.name as group_name, d.name, d.job_id, d.declared::text as declared, d.problem, d.declared_at, d.instance_id,
                   d.withdrawn_at
              from orth_job_declaration d
              join orth_executor_group g on g.id = d.group_id
            """;

    private static final String OF_GROUP = SELECT + " where d.group_id = :group";

    private static final String IN_VAIN = SELECT + """
             where d.withdrawn_at is null
               and (d.problem is not null
                    or (d.job_id is null
                        and not exists (select from orth_job j where j.group_id = d.group_id and j.name = d.name)))
             order by d.group_id, d.name
             limit :limit
            """;

    /** Matches by the job that the declaration created or, if that job was deleted, by the name of another job. */
    private static final String OF_JOBS = """
            select j.id as of_job, d.*
              from orth_job j
              join lateral (%s
                             where d.job_id = j.id
                                or (d.job_id is null and d.group_id = j.group_id and d.name = j.name)) d on true
             where j.id = any(:jobs)
             order by d.job_id nulls last
            """.formatted(SELECT);

    private static final String SAVE = """
            insert into orth_job_declaration (group_id, name, job_id, declared, instance_id)
            values (:group, :name, :job, :declared::jsonb, :instance)
            on conflict (group_id, name) do update
               set job_id = excluded.job_id, declared = excluded.declared, problem = null, withdrawn_at = null,
                   declared_at = now(), instance_id = excluded.instance_id
            """;

    private static final String REFUSE = """
            insert into orth_job_declaration (group_id, name, problem, instance_id)
            values (:group, :name, :problem, :instance)
            on conflict (group_id, name) do update
               set problem = excluded.problem, withdrawn_at = null, declared_at = now(),
                   instance_id = excluded.instance_id
            """;

    private static final String WITHDRAW = """
            update orth_job_declaration
               set withdrawn_at = now()
             where group_id = :group
               and withdrawn_at is null
               and name <> all(:names)
            """;

    /** Deletes withdrawn declarations without a job. */
    private static final String FORGET = """
            delete from orth_job_declaration
             where group_id = :group
               and withdrawn_at is not null
               and job_id is null
            """;

    private static final String NOTE = """
            insert into orth_declaring (executor_id, group_id, hash)
            values (:executor, :group, :hash)
            on conflict (executor_id) do update set hash = excluded.hash
            """;

    /**
     * The youngest instance counts for a grace period after it goes offline or dies. Otherwise a restarting instance would make two
     * versions alternate.
     */
    private static final String SPOKEN = """
            select d.hash
              from orth_declaring d
              join orth_executor e on e.id = d.executor_id
             where d.group_id = :group
               and (not orth_is_gone(e.status) or e.status_at > now() - make_interval(secs => :grace))
             order by d.executor_id desc
             limit 1
            """;

    private static final String HEARD = """
            select (select hash from orth_declaring where executor_id = :executor) as said,
                   (select hash from orth_declared_set where group_id = :group) as in_force
            """;

    private static final RowMapper<JobDeclaration> TO_DECLARATION = (row, n) -> new JobDeclaration(
            row.getInt("group_id"),
            row.getString("group_name"),
            row.getString("name"),
            SqlRows.intOrNull(row, "job_id"),
            read(row.getString("declared")),
            row.getString("problem"),
            SqlRows.instant(row, "declared_at"),
            row.getString("instance_id"),
            SqlRows.instant(row, "withdrawn_at"));

    private static DeclaredJob read(String json) {
        return json == null ? null : DeclaredJob.from(Json.readObject(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** Hashes; each null if there is none. */
    record Heard(String said, String inForce) {}

    private final JdbcClient jdbc;

    DeclarationRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the declarations of the group by name. */
    Map<String, JobDeclaration> ofGroup(int group) {
        return jdbc.sql(OF_GROUP).param("group", group).query(TO_DECLARATION).list().stream()
                .collect(Collectors.toMap(JobDeclaration::name, Function.identity()));
    }

    Optional<JobDeclaration> find(int group, String name) {
        return jdbc.sql(OF_GROUP + " and d.name = :name")
                .params(Map.of("group", group, "name", name))
                .query(TO_DECLARATION)
                .optional();
    }

    List<JobDeclaration> inVain(int limit) {
        return jdbc.sql(IN_VAIN).param("limit", limit).query(TO_DECLARATION).list();
    }

    /** Returns the declarations by job id. */
    Map<Integer, JobDeclaration> ofJobs(Collection<Integer> jobs) {
        record Of(int job, JobDeclaration declaration) {}
        return jdbc
                .sql(OF_JOBS)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query((row, n) -> new Of(row.getInt("of_job"), TO_DECLARATION.mapRow(row, n)))
                .list()
                .stream()
                .collect(Collectors.toMap(Of::job, Of::declaration, (first, second) -> first));
    }

    void save(int group, String name, Integer job, DeclaredJob declared, String instance) {
        jdbc.sql(SAVE)
                .param("group", group)
                .param("name", name)
                .param("job", job)
                .param("declared", new String(Json.write(declared), StandardCharsets.UTF_8))
                .param("instance", instance)
                .update();
    }

    void refuse(int group, String name, String problem, String instance) {
        jdbc.sql(REFUSE)
                .params(Map.of("group", group, "name", name))
                .param("problem", problem)
                .param("instance", instance)
                .update();
    }

    void link(JobDeclaration declaration, int job) {
        jdbc.sql("update orth_job_declaration set job_id = :job where group_id = :group and name = :name")
                .params(Map.of("group", declaration.groupId(), "name", declaration.name(), "job", job))
                .update();
    }

    void withdrawAllBut(int group, Collection<String> names) {
        jdbc.sql(WITHDRAW)
                .params(Map.of("group", group, "names", SqlArrays.texts(names, name -> name)))
                .update();
        jdbc.sql(FORGET).param("group", group).update();
    }

    void note(long executor, int group, String hash) {
        jdbc.sql(NOTE)
                .params(Map.of("executor", executor, "group", group, "hash", hash))
                .update();
    }

    /** Returns the hash of the instance that declares for the group; empty if there is none. */
    Optional<String> spoken(int group, Duration grace) {
        return jdbc.sql(SPOKEN)
                .params(Map.of("group", group, "grace", grace.toSeconds()))
                .query(String.class)
                .optional();
    }

    /** Returns the stored hash of an instance and the active hash of its group. */
    Heard heard(long executor, int group) {
        return jdbc.sql(HEARD)
                .params(Map.of("executor", executor, "group", group))
                .query((row, n) -> new Heard(row.getString("said"), row.getString("in_force")))
                .single();
    }

    /** Locks the declarations of the group until the transaction ends. */
    void lock(int group) {
        jdbc.sql("insert into orth_declared_set (group_id) values (:group) on conflict do nothing")
                .param("group", group)
                .update();
        jdbc.sql("select hash from orth_declared_set where group_id = :group for update")
                .param("group", group)
                .query()
                .listOfRows();
    }

    void putInForce(int group, String hash) {
        jdbc.sql("update orth_declared_set set hash = :hash where group_id = :group")
                .params(Map.of("group", group, "hash", hash))
                .update();
    }
}
