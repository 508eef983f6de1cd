package io.orth.admin;

import io.orth.admin.kernel.SessionSettings;
import io.orth.admin.kernel.TransactionSettings;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Connections through a pooler as the admin has them. */
public final class SettledConnections implements UnaryOperator<DataSource> {

    @Override
    public DataSource apply(DataSource pooled) {
        return new TransactionSettings(pooled, SessionSettings.in("orth"));
    }
}
