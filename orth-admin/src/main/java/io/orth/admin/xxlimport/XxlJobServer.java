package io.orth.admin.xxlimport;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.kernel.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Location of an XXL-JOB database and the credentials for it. The constructor checks syntax only; it neither resolves nor connects. */
public record XxlJobServer(String host, int port, String database, String user, String password, boolean tls) {

    public static final int USUAL_PORT = 3306;

    private static final int LONGEST_HOST = 253;
    private static final int LONGEST_USER = 80;
    private static final int LONGEST_PASSWORD = 256;
    private static final int LONGEST_URL = 1_000;

    private static final Pattern URL = Pattern.compile(
            "jdbc:(?:mysql|mariadb)://(\\[[0-9A-Fa-f:.]+]|[^/?#:@,()\\[\\]]+)(?::([0-9]{1,5}))?/([^/?#]+)(?:\\?(.*))?");

    private static final Pattern DOTTED = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
    private static final Pattern SIX = Pattern.compile("[0-9A-Fa-f]*:[0-9A-Fa-f:.]*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?");
    private static final Pattern LAST_LABEL_IS_A_NUMBER = Pattern.compile("(.*\\.)?[0-9][^.]*");
    private static final Pattern DATABASE = Pattern.compile("[\\p{L}\\p{N}_$-]{1,64}");

    /**
     * Parameters of the URL in XXL-JOB's own settings, which are ignored. None of them affects trust, executed code or files that are read.
     */
    private static final Set<String> WITHOUT_MEANING_HERE = Set.of(
            "useunicode",
            "characterencoding",
            "autoreconnect",
            "servertimezone",
            "connectiontimezone",
            "zerodatetimebehavior",
            "rewritebatchedstatements",
            "nullcatalogmeanscurrent",
            "allowpublickeyretrieval");

    public XxlJobServer {
        List<FieldError> errors = new ArrayList<>();
        host = host == null ? "" : bare(host.strip());
        if (!isHost(host)) {
            errors.add(new FieldError("host", "must be a host name or an IP address in its usual form"));
        }
        if (port < 1 || port > 65_535) {
            errors.add(new FieldError("port", "must be between 1 and 65535"));
        }
        if (database == null || !DATABASE.matcher(database).matches()) {
            errors.add(new FieldError("database", "must be 1 to 64 letters, digits, dashes, underscores or dollars"));
        }
        if (user == null || user.isBlank() || !PlainText.fits(user, LONGEST_USER)) {
            errors.add(new FieldError("user", "must have 1 to %d characters".formatted(LONGEST_USER)));
        }
        password = password == null ? "" : password;
        if (!PlainText.fits(password, LONGEST_PASSWORD)) {
            errors.add(new FieldError(
                    "password", "must have at most %d characters, no control characters".formatted(LONGEST_PASSWORD)));
        }
        if (!errors.isEmpty()) {
            throw OrthException.invalid(errors);
        }
    }

    /** Parses a URL from XXL-JOB's settings. Rejects parameters that could change the behavior of the driver. */
    public static XxlJobServer ofUrl(String url, String user, String password, boolean tls) {
        Matcher parts = URL.matcher(url.strip());
        if (url.length() > LONGEST_URL || !parts.matches()) {
            throw OrthException.invalid("url", "must be like jdbc:mysql://host:3306/xxl_job, with one host");
        }
        if (parts.group(4) != null) {
            checkParameters(parts.group(4));
        }
        int port = parts.group(2) == null ? USUAL_PORT : Integer.parseInt(parts.group(2));
        return new XxlJobServer(parts.group(1), port, parts.group(3), user, password, tls);
    }

    private static void checkParameters(String parameters) {
        for (String parameter : parameters.split("&", -1)) {
            String name = parameter.replaceFirst("=.*", "");
            boolean known = parameter.isEmpty()
                    || WITHOUT_MEANING_HERE.contains(name.toLowerCase(Locale.ROOT))
                    || parameter.equalsIgnoreCase("useSSL=false");
            if (!known) {
                throw OrthException.invalid(
                        "url",
                        "must not have the parameter %s; leave it out, and say by tls whether the connection is encrypted"
                                .formatted(Text.line(name, 60)));
            }
        }
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** Accepts numeric addresses only in their usual form: 127.1, 0x7f000001 and 2130706433 are rejected as obfuscated. */
    private static boolean isHost(String host) {
        if (host.length() > LONGEST_HOST) {
            return false;
        }
        return DOTTED.matcher(host).matches()
                || SIX.matcher(host).matches()
                || (NAME.matcher(host).matches()
                        && !LAST_LABEL_IS_A_NUMBER.matcher(host).matches());
    }

    /** Returns host, port and database in one line. */
    public String place() {
        return "%s:%d/%s".formatted(host.indexOf(':') < 0 ? host : "[" + host + "]", port, database);
    }

    /** Omits the password, because the text may be logged. */
    @Override
    public String toString() {
        return "%s as %s".formatted(place(), user);
    }
}
