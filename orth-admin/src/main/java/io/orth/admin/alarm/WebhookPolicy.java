package io.orth.admin.alarm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * Addresses to which alarms may be posted. A host name is resolved immediately before each send, and all its addresses must be allowed. The
 * JVM caches the result for longer than it takes to connect.
 */
final class WebhookPolicy {

    /** Name resolution; replaced in tests. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** A network. The matcher alone would compare IPv4 with IPv6 addresses byte by byte. */
    private record Network(boolean six, IpAddressMatcher matcher) {

        static Network of(String cidr) {
            return new Network(cidr.indexOf(':') >= 0, new IpAddressMatcher(cidr));
        }

        boolean has(String ip) {
            return six == (ip.indexOf(':') >= 0) && matcher.matches(ip);
        }
    }

    private static final Set<Integer> PUBLIC_PORTS = Set.of(-1, 80, 443, 8080, 8443);

    /** Never allowed, whatever the settings: link-local, multicast and cloud metadata addresses. */
    private static final List<Network> NEVER = networks(
            "0.0.0.0/8",
            "169.254.0.0/16",
            "100.100.100.200/32",
            "224.0.0.0/3",
            "fe80::/10",
            "ff00::/8",
            "fd00:ec2::254/128",
            "::/128",
            "64:ff9b::/96",
            "2002::/16");

    private static final List<Network> INSIDE = networks(
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "::1/128",
            "fc00::/7",
            "fec0::/10");

    private final List<Network> allowed;
    private final Resolver resolver;

    WebhookPolicy(List<String> allowedNetworks, Resolver resolver) {
        this.allowed = allowedNetworks.stream().map(Network::of).toList();
        this.resolver = resolver;
    }

    private static List<Network> networks(String... networks) {
        return List.of(networks).stream().map(Network::of).toList();
    }

    void check(URI address) throws IOException {
        for (InetAddress each : resolver.resolve(address.getHost())) {
            checkOne(address, each);
        }
    }

    private void checkOne(URI address, InetAddress resolved) throws IOException {
        String ip = resolved.getHostAddress().replaceFirst("%.*", "");
        if (matches(NEVER, ip)) {
            throw new IOException("%s leads to %s, where nothing is ever posted".formatted(address.getHost(), ip));
        }
        if (matches(allowed, ip)) {
            return;
        }
        if (matches(INSIDE, ip)) {
            throw new IOException("%s leads to %s inside the network; allow it with orth.alarm.allowed-networks"
                    .formatted(address.getHost(), ip));
        }
        if (!PUBLIC_PORTS.contains(address.getPort())) {
            throw new IOException(
                    "port %d is only posted to in orth.alarm.allowed-networks".formatted(address.getPort()));
        }
    }

    private static boolean matches(List<Network> networks, String ip) {
        return networks.stream().anyMatch(network -> network.has(ip));
    }
}
