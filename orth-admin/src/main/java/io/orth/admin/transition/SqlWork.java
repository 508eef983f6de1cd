package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.StateTransition.Work;
import java.util.Collection;
import java.util.Map;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Facts found by one statement by {@code :ids}; its column {@code id}, a bigint, identifies the entity of a row. */
public class SqlWork implements WorkSource {

    private final EntityKind kind;
    private final JdbcClient jdbc;
    private final String sql;
    private final RowMapper<Work> row;

    public SqlWork(EntityKind kind, JdbcClient jdbc, String sql, RowMapper<Work> row) {
        this.kind = kind;
        this.jdbc = jdbc;
        this.sql = sql;
        this.row = row;
    }

    @Override
    public EntityKind kind() {
        return kind;
    }

    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        return SqlRows.byId(jdbc.sql(sql).param("ids", SqlArrays.bigints(ids, id -> id)), Long.class, row);
    }
}
