package io.orth.e2e;

import io.orth.testkit.TestDatabase;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Where a database is and how to log in to it. */
record Database(String url, String user, String password) {

    static Database of(TestDatabase db) {
        return new Database(db.url(), db.user(), db.password());
    }

    JdbcClient sql() {
        return JdbcClient.create(new DriverManagerDataSource(url, user, password));
    }
}
