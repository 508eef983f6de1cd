package io.orth.admin.kernel;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.springframework.jdbc.support.SqlValue;

/** An array parameter, made by the connection that will use it. */
final class ArrayValue implements SqlValue {

    private final String type;
    private final Object[] values;

    ArrayValue(String type, Object[] values) {
        this.type = type;
        this.values = values;
    }

    @Override
    public void setValue(PreparedStatement statement, int index) throws SQLException {
        Connection connection = statement.getConnection();
        statement.setArray(index, connection.createArrayOf(type, values));
    }

    @Override
    public void cleanup() {
        // The array lives in memory only.
    }
}
