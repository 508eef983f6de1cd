package io.orth.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Numbers of dead letters by fingerprint. No query counts dead letters: each statement that adds or removes some also inserts their number
 * into a tally, and the tallies are folded later.
 */
@Component
public final class DeadLetterGroups {

    private static final String NOTED = """
            noted as (
                insert into orth_dead_letter_tally (kind, owner, fingerprint, letters, first_at, last_at)
                select '%1$s', %2$s, fingerprint, %3$scount(*), min(status_at), max(status_at)
                  from %4$s
                 group by %2$s, fingerprint
            )
            """;

    private static final String FOLD = """
            with taken as (
                delete from orth_dead_letter_tally
                 where ctid = any(array(select ctid from orth_dead_letter_tally limit :limit for update skip locked))
                returning *
            ), folded as (
                insert into orth_dead_letter_group as g (kind, owner, fingerprint, letters, first_seen, last_seen)
                select kind, owner, fingerprint, sum(letters), min(first_at), max(last_at)
                  from taken
                 group by kind, owner, fingerprint
                 order by kind, owner, fingerprint
                on conflict (kind, owner, fingerprint) do update
                   set letters = g.letters + excluded.letters, first_seen = least(g.first_seen, excluded.first_seen),
                       last_seen = greatest(g.last_seen, excluded.last_seen), changed_at = now()
            )
            select count(*) from taken
            """;

    /** Keeps empty groups for a while because of {@code first_seen}. */
    private static final String PRUNE = """
            delete from orth_dead_letter_group
             where ctid = any(array(select ctid
                                      from orth_dead_letter_group
                                     where letters = 0
                                       and changed_at < now() - make_interval(secs => :age)
                                     limit :limit
                                       for update skip locked))
            """;

    /**
     * Includes tallies that are not folded yet. Each of these can move one group, so as many more folded groups are read. The sample of a
     * group is its latest dead letter.
     */
    private static final String LIST = """
            with fresh as materialized (
                select kind, owner, fingerprint, sum(letters) as letters, min(first_at) as first_seen, max(last_at) as last_seen
                  from orth_dead_letter_tally
                 where %1$s
                 group by kind, owner, fingerprint
            ), known as (
                select kind, owner, fingerprint
                  from orth_dead_letter_group
                 where %1$s
                   and letters > 0
                 order by letters desc
                 limit :limit + (select count(*) from fresh)
            ), named as (
                select kind, owner, fingerprint from known
                union
                select kind, owner, fingerprint from fresh
            ), summed as (
                select n.kind, n.owner, n.fingerprint, coalesce(g.letters, 0) + coalesce(f.letters, 0) as letters,
                       least(g.first_seen, f.first_seen) as first_seen, greatest(g.last_seen, f.last_seen) as last_seen
                  from named n
                  left join lateral (select *
                                       from orth_dead_letter_group
                                      where kind = n.kind and owner = n.owner and fingerprint = n.fingerprint
                                      limit 1) g on true
                  left join fresh f on f.kind = n.kind and f.owner = n.owner and f.fingerprint = n.fingerprint
            ), most as (
                select * from summed where letters > 0 order by letters desc, last_seen desc limit :limit
            )
            select m.*, s.no, s.id, s.error, s.job_name, (select q.name from orth_queue q where q.id = s.queue_id) as queue
              from most m
              left join lateral ((select no, id, left(error, 500) as error, job_name, queue_id
                                    from orth_dead_letter
                                   where m.kind = 'MESSAGE' and queue_id = m.owner and fingerprint = m.fingerprint
                                   order by no desc
                                   limit 1)
                                 union all
                                 (select no, id, left(error, 500), job_name, queue_id
                                    from orth_dead_letter
                                   where m.kind = 'RUN' and job_id = m.owner and fingerprint = m.fingerprint
                                   order by no desc
                                   limit 1)) s on true
             order by m.letters desc, m.last_seen desc
            """;

    private static final String COUNT = """
            select coalesce(sum(letters), 0)
              from (select letters from orth_dead_letter_group where %1$s
                    union all
                    select letters from orth_dead_letter_tally where %1$s) noted
            """;

    /**
     * Failures with the same fingerprint in one queue or job.
     *
     * @param queue null for runs, and if the group has no dead letter left
     * @param jobId null for messages
     * @param jobName null for messages, and if the group has no dead letter left
     * @param error error of the latest dead letter, to which the sample's number and id belong too
     * @param firstSeen includes dead letters that were removed
     */
    public record Group(
            String fingerprint,
            DeadKind kind,
            String queue,
            Integer jobId,
            String jobName,
            String error,
            @JsonProperty("count") long letters,
            Instant firstSeen,
            Instant lastSeen,
            @JsonFormat(shape = JsonFormat.Shape.STRING) Long sampleNo,
            Long sampleId) {}

    private final JdbcClient jdbc;

    DeadLetterGroups(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the part of a statement that adds or removes dead letters which inserts their tally. {@code rows} must have
     * {@code fingerprint}, {@code status_at} and the queue or job.
     */
    public static String noted(DeadKind kind, boolean added, String rows) {
        return NOTED.formatted(kind, kind.ownerColumn(), added ? "" : "-", rows);
    }

    /** Returns groups, those with most dead letters first. */
    public List<Group> list(DeadLetterFilter filter, int limit) {
        return filter.contradictsItself()
                ? List.of()
                : statement(LIST, filter)
                        .param("limit", limit)
                        .query((row, n) -> read(row))
                        .list();
    }

    /** Returns the number of dead letters that match the kind, queue or job, and fingerprint of this filter. */
    long count(DeadLetterFilter filter) {
        return statement(COUNT, filter).query(Long.class).single();
    }

    private JdbcClient.StatementSpec statement(String sql, DeadLetterFilter filter) {
        Map<String, Object> params = new LinkedHashMap<>();
        DeadKind kind =
                filter.queueId() != null ? DeadKind.MESSAGE : filter.jobId() != null ? DeadKind.RUN : filter.kind();
        if (kind != null) {
            params.put("kind", kind.name());
        }
        if (filter.queueId() != null || filter.jobId() != null) {
            params.put("owner", filter.queueId() != null ? filter.queueId() : filter.jobId());
        }
        if (filter.fingerprint() != null) {
            params.put("fingerprint", filter.fingerprint());
        }
        List<String> conditions = new ArrayList<>(List.of("true"));
        params.keySet().forEach(column -> conditions.add("%1$s = :%1$s".formatted(column)));
        return jdbc.sql(sql.formatted(String.join(" and ", conditions))).params(params);
    }

    /** Folds up to {@code limit} tallies into the groups. Callers own the transaction. */
    int fold(int limit) {
        return jdbc.sql(FOLD).param("limit", limit).query(Integer.class).single();
    }

    int prune(Duration age, int limit) {
        return jdbc.sql(PRUNE)
                .params(Map.of("age", age.toMillis() / 1000.0, "limit", limit))
                .update();
    }

    private static Group read(ResultSet row) throws SQLException {
        DeadKind kind = DeadKind.valueOf(row.getString("kind"));
        return new Group(
                row.getString("fingerprint"),
                kind,
                row.getString("queue"),
                kind == DeadKind.RUN ? row.getInt("owner") : null,
                row.getString("job_name"),
                row.getString("error"),
                row.getLong("letters"),
                SqlRows.instant(row, "first_seen"),
                SqlRows.instant(row, "last_seen"),
                SqlRows.longOrNull(row, "no"),
                SqlRows.longOrNull(row, "id"));
    }
}
