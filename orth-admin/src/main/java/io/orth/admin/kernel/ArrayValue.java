package io.orth.admin.kernel;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.springframework.jdbc.support.SqlValue;

/** An array parameter, made by the connection that will use it; null where there are no values. */
final class ArrayValue implements SqlValue {

    private final String type;
    private final Object[] values;

    ArrayValue(String type, Object[] values) {
        this.type = type;
        this.values = values;
    }

    @Override
    public void setValue(PreparedStatement statement, int index) throws SQLException {
        if (values == null) {
            // Without its type the statement would be another one, to be parsed and planned again.
            statement.setNull(index, Types.ARRAY, type + "[]");
        } else {
            statement.setArray(index, statement.getConnection().createArrayOf(type, values));
        }
    }

    @Override
    public void cleanup() {
        // The array lives in memory only.
    }
}
