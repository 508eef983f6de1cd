package io.orth.admin.alarm;

import io.orth.admin.kernel.OrthException;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

/** Syntax check of a webhook address. {@link WebhookPolicy} decides at each send whether the address may be reached. */
final class WebhookAddress {

    private static final int LONGEST = 2_000;
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private WebhookAddress() {}

    static String check(String address) {
        if (address == null || address.isBlank()) {
            throw refused("is missing: give the address to post to");
        }
        if (address.length() > LONGEST || address.chars().anyMatch(each -> each <= ' ' || each > '~')) {
            throw refused("must have at most %d plain characters".formatted(LONGEST));
        }
        URI uri = parse(address);
        if (uri.getScheme() == null || uri.isOpaque() || !SCHEMES.contains(uri.getScheme())) {
            throw refused("must start with http:// or https://");
        }
        if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw refused("must name a host, without user or fragment");
        }
        if (uri.getPort() == 0 || uri.getPort() > 65_535) {
            throw refused("has no such port: " + uri.getPort());
        }
        checkHost(uri.getHost());
        return address;
    }

    private static URI parse(String address) {
        try {
            return new URI(address);
        } catch (URISyntaxException e) {
            throw refused("is not an address");
        }
    }

    /** Rejects unusual notations of IP addresses such as 127.1, 0x7f000001 and 2130706433, which serve to disguise an address. */
    private static void checkHost(String host) {
        if (host.startsWith("[") || host.matches("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}")) {
            return;
        }
        String lastLabel = host.substring(host.lastIndexOf('.') + 1);
        if (lastLabel.isEmpty() || lastLabel.matches("[0-9].*")) {
            throw refused("must name its host by name or in the usual form of an IP address");
        }
        try {
            IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES);
        } catch (IllegalArgumentException e) {
            throw refused("has a host that is no name: " + host);
        }
    }

    /**
     * Returns the address without the part after the host, which is a secret with most services. The rest suffices to distinguish channels.
     */
    static String masked(String address) {
        URI uri = URI.create(address);
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return "%s://%s%s/…".formatted(uri.getScheme(), uri.getHost(), port);
    }

    private static OrthException refused(String reason) {
        return OrthException.invalid("target", reason);
    }
}
