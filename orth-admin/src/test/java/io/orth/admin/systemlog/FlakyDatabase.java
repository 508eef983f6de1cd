package io.orth.admin.systemlog;

import io.orth.admin.kernel.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A database that can be made unavailable. */
final class FlakyDatabase extends DelegatingDataSource {

    private volatile boolean away;

    FlakyDatabase(DataSource real) {
        super(real);
    }

    void goAway() {
        away = true;
    }

    void comeBack() {
        away = false;
    }

    /** The archive on this database. */
    static SystemLogArchive archiveOn(DataSource database) {
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(database));
        return new PostgresArchive(JdbcClient.create(database), new Transactions(transactions));
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (away) {
            throw new SQLException("the database is away", "08001");
        }
        return super.getConnection();
    }
}
