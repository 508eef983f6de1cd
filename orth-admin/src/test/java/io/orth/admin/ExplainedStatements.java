package io.orth.admin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A data source that has each statement explained before it runs, planned without its parameters as all of the pool's are. */
final class ExplainedStatements {

    /** How the database would run one statement. */
    record Plan(String sql, String text) {}

    private final DataSource real;
    private final boolean withoutParametersToo;
    private final List<Plan> plans = new ArrayList<>();

    ExplainedStatements(DataSource real) {
        this(real, false);
    }

    private ExplainedStatements(DataSource real, boolean withoutParametersToo) {
        this.real = real;
        this.withoutParametersToo = withoutParametersToo;
    }

    /** Those without parameters are explained as well. */
    static ExplainedStatements ofAll(DataSource real) {
        return new ExplainedStatements(real, true);
    }

    List<Plan> plans() {
        return List.copyOf(plans);
    }

    void clear() {
        plans.clear();
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (method, args) -> {
            Object answer = call(real, method, args);
            return answer instanceof Connection connection ? watched(connection) : answer;
        });
    }

    private Connection watched(Connection connection) {
        return proxy(Connection.class, (method, args) -> {
            Object answer = call(connection, method, args);
            return method.getName().equals("prepareStatement")
                    ? watched(connection, (String) args[0], (PreparedStatement) answer)
                    : answer;
        });
    }

    private PreparedStatement watched(Connection connection, String sql, PreparedStatement statement) {
        Map<Integer, Object> params = new TreeMap<>();
        return proxy(PreparedStatement.class, (method, args) -> {
            if (method.getName().startsWith("set") && args.length >= 2 && args[0] instanceof Integer index) {
                params.put(index, method.getName().equals("setNull") ? null : args[1]);
            } else if (method.getName().startsWith("execute")) {
                if (!params.isEmpty()) {
                    explain(connection, sql, params);
                } else if (withoutParametersToo) {
                    explain(connection, sql);
                }
            }
            return call(statement, method, args);
        });
    }

    /** Several that go together are explained one by one. */
    private void explain(Connection connection, String sql, Map<Integer, Object> params) throws SQLException {
        Iterator<Object> values = params.values().iterator();
        for (String each : sql.split(";", -1)) {
            List<String> types = new ArrayList<>();
            for (long left = each.chars().filter(c -> c == '?').count(); left > 0; left--) {
                types.add(typeOf(values.next()));
            }
            explain(connection, each, types);
        }
    }

    private void explain(Connection connection, String sql, List<String> types) throws SQLException {
        String nulls = String.join(", ", Collections.nCopies(types.size(), "null"));
        try (Statement statement = connection.createStatement()) {
            statement.execute("set plan_cache_mode = force_generic_plan");
            statement.execute("prepare hot(%s) as %s".formatted(String.join(", ", types), withPlaceholders(sql)));
            String plan = read(statement.executeQuery("explain execute hot(%s)".formatted(nulls)));
            statement.execute("deallocate hot");
            statement.execute("reset plan_cache_mode");
            plans.add(new Plan(sql, plan));
        }
    }

    private void explain(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            plans.add(new Plan(sql, read(statement.executeQuery("explain " + sql))));
        }
    }

    private static String withPlaceholders(String sql) {
        AtomicInteger index = new AtomicInteger();
        return Pattern.compile("\\?").matcher(sql).replaceAll(found -> "\\$" + index.incrementAndGet());
    }

    private static String typeOf(Object value) throws SQLException {
        if (value instanceof Array array) {
            return array.getBaseTypeName() + "[]";
        }
        if (value instanceof Long) {
            return "bigint";
        }
        if (value instanceof Integer) {
            return "integer";
        }
        if (value instanceof Double) {
            return "double precision";
        }
        if (value instanceof Boolean) {
            return "boolean";
        }
        if (value instanceof OffsetDateTime || value instanceof Timestamp) {
            return "timestamptz";
        }
        return "text";
    }

    private static String read(ResultSet rows) throws SQLException {
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
            text.append(rows.getString(1)).append('\n');
        }
        return text.toString();
    }

    @FunctionalInterface
    private interface Handler {
        Object handle(Method method, Object[] args) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                ExplainedStatements.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, args) -> handler.handle(method, args == null ? new Object[0] : args)));
    }

    private static Object call(Object target, Method method, Object[] args) throws Exception {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
