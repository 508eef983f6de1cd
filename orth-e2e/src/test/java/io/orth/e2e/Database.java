package io.orth.e2e;

import io.orth.testkit.TestDatabase;
import java.util.Properties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Where a database is and how to log in to it. */
record Database(String url, String user, String password) {

    static Database of(TestDatabase db) {
        return new Database(db.url(), db.user(), db.password());
    }

    /** In the schema of Orth's tables. */
    JdbcClient sql() {
        DriverManagerDataSource source = new DriverManagerDataSource(url, user, password);
        Properties inSchema = new Properties();
        inSchema.setProperty("currentSchema", "orth");
        inSchema.setProperty("targetServerType", "primary");
        source.setConnectionProperties(inSchema);
        return JdbcClient.create(source);
    }
}
