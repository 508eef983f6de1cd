package io.orth.admin.registry;

import io.orth.admin.kernel.OrthException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * Which addresses the admin is willing to send a group's token to. An executor may register the address it connects from,
 * or one in a network the operator allowed; addresses that are never an executor's are refused to everyone.
 */
final class AddressPolicy {

    private static final String FIELD = "registryValue";
    private static final int LONGEST = 300;
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private final List<IpAddressMatcher> allowed;

    AddressPolicy(RegistryProperties properties) {
        this.allowed =
                properties.allowedNetworks().stream().map(IpAddressMatcher::new).toList();
    }

    /** Returns the address in its one form, {@code scheme://host:port}. */
    String check(String address, InetAddress peer) {
        URI uri = parse(address);
        InetAddress host = literal(uri.getHost());
        if (host.isAnyLocalAddress() || host.isMulticastAddress() || host.isLinkLocalAddress()) {
            throw refused("%s is not an address of an executor".formatted(uri.getHost()));
        }
        if (!host.equals(peer)
                && !bothLoopback(host, peer)
                && allowed.stream().noneMatch(network -> network.matches(host.getHostAddress()))) {
            throw refused(
                    "%s is not where the executor connects from (%s); allow its network with orth.registry.allowed-networks"
                            .formatted(uri.getHost(), peer.getHostAddress()));
        }
        return "%s://%s:%d".formatted(uri.getScheme(), uri.getHost(), uri.getPort());
    }

    private static boolean bothLoopback(InetAddress host, InetAddress peer) {
        return host.isLoopbackAddress() && peer.isLoopbackAddress();
    }

    private static URI parse(String address) {
        if (address.length() > LONGEST) {
            throw refused("is longer than %d characters".formatted(LONGEST));
        }
        try {
            URI uri = new URI(address.strip());
            if (uri.getScheme() == null || !SCHEMES.contains(uri.getScheme())) {
                throw refused("must start with http:// or https://");
            }
            boolean plain = !uri.isOpaque()
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
            if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > 65_535 || !plain) {
                throw refused("must be http://IP:PORT/ and nothing else");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw refused("is not a URL");
        }
    }

    /** Literal addresses only, in their usual form: a name could resolve to something else later. */
    private static InetAddress literal(String host) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        boolean dotted = bare.matches("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
        if (!dotted && !bare.matches("[0-9A-Fa-f]*:[0-9A-Fa-f:]*")) {
            throw refused("must name the executor by its IP address, got %s".formatted(host));
        }
        try {
            return InetAddress.getByName(bare);
        } catch (UnknownHostException e) {
            throw refused("is not an IP address: %s".formatted(host));
        }
    }

    private static OrthException refused(String reason) {
        return OrthException.invalid(FIELD, reason);
    }
}
