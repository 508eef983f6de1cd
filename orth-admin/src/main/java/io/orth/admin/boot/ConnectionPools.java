package io.orth.admin.boot;

import com.zaxxer.hikari.HikariConfig;
import io.orth.admin.kernel.SessionSettings;
import io.orth.postgres.EmbeddedPostgres;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How connections to the database are opened, and how many of them are kept for what. */
final class ConnectionPools {

    /** A server that says nothing for this long is gone, whatever the network believes. */
    private static final Duration SILENT_SERVER = Duration.ofSeconds(40);

    private static final Duration SILENT_FOR_RESERVED = Duration.ofSeconds(8);

    /** The pool does not try the database when it is made, and so says nothing of its own when that fails. */
    private static final long WITHOUT_LOOKING = -1;

    private static final int RESERVED = 3;

    private static final Pattern SEVERAL_HOSTS = Pattern.compile("jdbc:postgresql://[^/?]*,.*");

    private final DatabaseProperties properties;
    private final String url;
    private final String user;
    private final String password;

    /** @param embedded Orth's own PostgreSQL; null where another is configured */
    ConnectionPools(DatabaseProperties properties, EmbeddedPostgres embedded) {
        this.properties = properties;
        this.url = embedded == null ? properties.url() : embedded.jdbcUrl();
        this.user = embedded == null ? properties.user() : embedded.user();
        this.password = embedded == null ? properties.password() : embedded.password();
    }

    static SessionSettings sharedSettings(DatabaseProperties properties) {
        return SessionSettings.in(properties.schema());
    }

    /** With limits below the duration of a node's lease: neither a lock nor a silent server keeps these connections for long. */
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

    /** Always open. */
    HikariConfig reserved() {
        HikariConfig config = config(url, properties.pooler(), reservedSettings(properties));
        config.setPoolName("orth-reserved");
        config.setMaximumPoolSize(RESERVED);
        config.setMinimumIdle(RESERVED);
        config.addDataSourceProperty("socketTimeout", seconds(SILENT_FOR_RESERVED));
        return config;
    }

    /** One connection, opened by the first that listens. */
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
        // Which schema the tables are in is a setting of Orth's.
        String own = without("currentSchema", target);
        if (pooler) {
            config.setJdbcUrl(own);
            // A statement that is prepared in one session is unknown to the next.
            config.addDataSourceProperty("prepareThreshold", "0");
        } else {
            config.setJdbcUrl(without("options", own));
            config.addDataSourceProperty("options", (valueOf("options", own) + " " + settings.startOptions()).strip());
            config.setConnectionInitSql("select " + SessionSettings.ONLY_ON_PRIMARY);
        }
        return config;
    }

    /** As the driver wants it: text, whole seconds, and never the zero that means no limit; other types it ignores. */
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

    /** The driver prefers what the URL says to what it is given besides. */
    private static String without(String name, String url) {
        return parameter(name, url)
                .replaceFirst(found -> found.group(3).isEmpty() ? "" : Matcher.quoteReplacement(found.group(1)));
    }
}
