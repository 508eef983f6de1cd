package io.orth.testkit;

import javax.sql.DataSource;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands a test its database; JUnit gives it back when the test is over. */
final class DatabaseParameter implements ParameterResolver {

    private record Opened(TestDatabase database) implements AutoCloseable {

        @Override
        public void close() {
            database.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestDatabase.class || type == DataSource.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestDatabase database = context.getStore(ExtensionContext.Namespace.create(DatabaseParameter.class))
                .computeIfAbsent(Opened.class, key -> open(context), Opened.class)
                .database();
        return parameter.getParameter().getType() == TestDatabase.class ? database : database.dataSource();
    }

    private static Opened open(ExtensionContext context) {
        TestDatabase database = new TestDatabase();
        database.open(context);
        return new Opened(database);
    }
}
