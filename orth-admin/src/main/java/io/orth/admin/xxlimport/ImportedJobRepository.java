package io.orth.admin.xxlimport;

import io.orth.admin.kernel.JsonText;
import io.orth.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of where imported jobs come from. */
final class ImportedJobRepository {

    private static final String OF_INSTALLATION = """
            select i.source_id, i.job_id, i.source_row::text as source_row, j.name, j.enabled, g.name as group_name
              from orth_imported_job i
              join orth_job j on j.id = i.job_id
              join orth_executor_group g on g.id = j.group_id
             where i.installation = :installation
            """;

    private static final String INSERT = """
            insert into orth_imported_job (installation, source_id, job_id, source_row)
            values (:installation, :source, :job, :row::jsonb)
            """;

    private final JdbcClient jdbc;

    ImportedJobRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Those that are still here, by their ids there. */
    Map<Integer, ImportedJob> of(String installation) {
        Map<Integer, ImportedJob> found = new HashMap<>();
        jdbc.sql(OF_INSTALLATION).param("installation", installation).query(row -> {
            found.put(row.getInt("source_id"), read(row));
        });
        return found;
    }

    private static ImportedJob read(ResultSet row) throws SQLException {
        return new ImportedJob(
                row.getInt("job_id"),
                row.getString("group_name"),
                row.getString("name"),
                row.getBoolean("enabled"),
                fields(row.getString("source_row")));
    }

    private static Map<String, String> fields(String json) {
        Map<String, String> fields = new HashMap<>();
        ((Map<?, ?>) Json.read(json.getBytes(StandardCharsets.UTF_8)))
                .forEach((name, value) -> fields.put(name.toString(), String.valueOf(value)));
        return fields;
    }

    void insert(JobSourceLink link, int jobId) {
        jdbc.sql(INSERT)
                .param("installation", link.installation())
                .param("source", link.sourceId())
                .param("job", jobId)
                .param("row", JsonText.of(link.row()))
                .update();
    }
}
