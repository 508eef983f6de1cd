package io.orth.admin.registry;

import io.orth.admin.kernel.OrthException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Address of an executor, checked by its text alone: no name is resolved and no connection is made. {@code text} is
 * {@code scheme://host:port} plus the path below which the executor serves, without a trailing slash.
 */
public record ExecutorAddress(String text, InetAddress host) {

    private static final int LONGEST = 300;
    private static final int MAX_PATH_LENGTH = 100;
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /** Segments of unreserved characters that start with a letter, a digit or an underscore: no escapes, no dot segments. */
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_][A-Za-z0-9._~-]*)*/?");

    /** Parses an address. Throws an exception that names {@code field} and the error if the address is invalid. */
    public static ExecutorAddress parse(String field, String address) {
        URI uri = uri(field, address);
        InetAddress host = literal(field, uri.getHost());
        if (isNobodys(host)) {
            throw OrthException.invalid(field, "%s is not an address of an executor".formatted(uri.getHost()));
        }
        String path = uri.getRawPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return new ExecutorAddress("%s://%s:%d%s".formatted(uri.getScheme(), uri.getHost(), uri.getPort(), base), host);
    }

    /** Returns whether Orth never connects to this address: it is unspecified, multicast or link-local. */
    public static boolean isNobodys(InetAddress host) {
        return host.isAnyLocalAddress() || host.isMulticastAddress() || host.isLinkLocalAddress();
    }

    private static URI uri(String field, String address) {
        if (address.length() > LONGEST) {
            throw OrthException.invalid(field, "is longer than %d characters".formatted(LONGEST));
        }
        if (address.chars().anyMatch(Character::isISOControl)) {
            throw OrthException.invalid(field, "must not contain control characters");
        }
        try {
            URI uri = new URI(address.strip());
            if (uri.getScheme() == null || !SCHEMES.contains(uri.getScheme())) {
                throw OrthException.invalid(field, "must start with http:// or https://");
            }
            boolean plain = !uri.isOpaque()
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
            if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > 65_535 || !plain) {
                throw OrthException.invalid(field, "must be like http://IP:PORT/ or http://IP:PORT/path");
            }
            checkPath(field, uri.getRawPath());
            return uri;
        } catch (URISyntaxException e) {
            throw OrthException.invalid(field, "is not a URL");
        }
    }

    private static void checkPath(String field, String path) {
        if (path.length() > MAX_PATH_LENGTH) {
            throw OrthException.invalid(field, "must have a path of at most %d characters".formatted(MAX_PATH_LENGTH));
        }
        if (!PATH.matcher(path).matches()) {
            throw OrthException.invalid(
                    field, "must have a path like /job, of letters, digits, dashes, underscores, dots and tildes");
        }
    }

    /** Accepts literal IP addresses in their usual form only: a name could resolve to another address later. */
    private static InetAddress literal(String field, String host) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        boolean dotted = bare.matches("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
        if (!dotted && !bare.matches("[0-9A-Fa-f]*:[0-9A-Fa-f:]*")) {
            throw OrthException.invalid(field, "must name the executor by its IP address, got %s".formatted(host));
        }
        try {
            return InetAddress.getByName(bare);
        } catch (UnknownHostException e) {
            throw OrthException.invalid(field, "is not an IP address: %s".formatted(host));
        }
    }
}
