package io.orth.admin.boot;

import com.zaxxer.hikari.HikariConfig;
import io.orth.admin.kernel.SessionSettings;
import io.orth.postgres.EmbeddedPostgres;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings of the connection pools: how connections are opened, and how many each pool keeps. */
final class ConnectionPools {

    /** Socket timeout: a server that is silent for this long is considered lost, even if the network reports no error. */
    private static final Duration SILENT_SERVER = Duration.ofSeconds(40);

    private static final Duration SILENT_FOR_RESERVED = Duration.ofSeconds(8);

    /** Makes the pool skip its connection test at creation, so that the pool logs no failure of its own. */
    private static final long WITHOUT_LOOKING = -1;

    private static final int RESERVED = 3;

    private static final Pattern SEVERAL_HOSTS = Pattern.compile("jdbc:postgresql://[^/?]*,.*");

    private final DatabaseProperties properties;
    private final String url;
    private final String user;
    private final String password;

    /** @param embedded the embedded PostgreSQL; null if another database is configured */
    ConnectionPools(DatabaseProperties properties, EmbeddedPostgres embedded) {
        this.properties = properties;
        this.url = embedded == null ? properties.url() : embedded.jdbcUrl();
        this.user = embedded == null ? properties.user() : embedded.user();
        this.password = embedded == null ? properties.password() : embedded.password();
    }

    static SessionSettings sharedSettings(DatabaseProperties properties) {
        return SessionSettings.in(properties.schema());
    }

    /**
     * Returns settings with timeouts shorter than a node's lease: neither a lock nor a silent server blocks these connections for longer.
     */
    static SessionSettings reservedSettings(DatabaseProperties properties) {
        return sharedSettings(properties).with("statement_timeout", "5s").with("lock_timeout", "2s");
    }

    HikariConfig shared() {
        HikariConfig config = config(url, properties.pooler(), sharedSettings(properties));
        config.setPoolName("orth");
        config.setMaximumPoolSize(properties.poolSize());
        config.setMinimumIdle(Math.min(2, properties.poolSize()));
        return config;
    }

    /** Returns the reserved pool, whose connections are always open. */
    HikariConfig reserved() {
        HikariConfig config = config(url, properties.pooler(), reservedSettings(properties));
        config.setPoolName("orth-reserved");
        config.setMaximumPoolSize(RESERVED);
        config.setMinimumIdle(RESERVED);
        config.addDataSourceProperty("socketTimeout", seconds(SILENT_FOR_RESERVED));
        return config;
    }

    /** Returns the pool for notifications: one connection, opened by the first listener. */
    HikariConfig listening() {
        String direct = properties.listenUrl().isBlank() ? url : properties.listenUrl();
        HikariConfig config = config(direct, false, sharedSettings(properties));
        config.setPoolName("orth-listen");
        config.setMaximumPoolSize(1);
        config.setMinimumIdle(0);
        return config;
    }

    private HikariConfig config(String target, boolean pooler, SessionSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setUsername(user);
        config.setPassword(password);
        config.setConnectionTimeout(properties.connectTimeout().toMillis());
        config.setInitializationFailTimeout(WITHOUT_LOOKING);
        config.setExceptionOverride(new ReadOnlyEviction());
        config.addDataSourceProperty("ApplicationName", "orth-admin");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("socketTimeout", seconds(SILENT_SERVER));
        config.addDataSourceProperty("connectTimeout", seconds(properties.connectTimeout()));
        if (SEVERAL_HOSTS.matcher(target).matches()) {
            config.addDataSourceProperty("targetServerType", "primary");
        }
        // The schema is set by orth.database.schema, not by the URL.
        String own = without("currentSchema", target);
        if (pooler) {
            config.setJdbcUrl(own);
            // Behind a pooler, a statement prepared in one session is unknown in the next.
            config.addDataSourceProperty("prepareThreshold", "0");
        } else {
            config.setJdbcUrl(without("options", own));
            config.addDataSourceProperty("options", (valueOf("options", own) + " " + settings.startOptions()).strip());
            config.setConnectionInitSql("select " + SessionSettings.ONLY_ON_PRIMARY);
        }
        return config;
    }

    /**
     * Formats a timeout for the driver: text with whole seconds, at least 1 because 0 means no limit. The driver ignores values of other
     * types.
     */
    private static String seconds(Duration limit) {
        return Long.toString(Math.max(1, limit.toSeconds()));
    }

    private static Matcher parameter(String name, String url) {
        return Pattern.compile("([?&])%s=([^&]*)(&|$)".formatted(name)).matcher(url);
    }

    private static String valueOf(String name, String url) {
        Matcher found = parameter(name, url);
        return found.find() ? URLDecoder.decode(found.group(2), StandardCharsets.UTF_8) : "";
    }

    /** Removes a parameter from the URL: the driver prefers URL parameters to data source properties. */
    private static String without(String name, String url) {
        return parameter(name, url)
                .replaceFirst(found -> found.group(3).isEmpty() ? "" : Matcher.quoteReplacement(found.group(1)));
    }
}
