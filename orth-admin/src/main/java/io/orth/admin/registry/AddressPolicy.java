package io.orth.admin.registry;

import io.orth.admin.kernel.OrthException;
import java.net.InetAddress;
import java.util.List;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * Policy for the addresses to which the admin sends a group's token. An executor may register the address it connects from, or one in a
 * network allowed by the operator. Addresses that can never belong to an executor are always rejected.
 */
final class AddressPolicy {

    private static final String FIELD = "registryValue";

    private final List<IpAddressMatcher> allowed;

    AddressPolicy(RegistryProperties properties) {
        this.allowed =
                properties.allowedNetworks().stream().map(IpAddressMatcher::new).toList();
    }

    /** Returns the address in canonical form; see {@link ExecutorAddress#text}. */
    String check(String address, InetAddress peer) {
        ExecutorAddress parsed = ExecutorAddress.parse(FIELD, address);
        InetAddress host = parsed.host();
        if (!host.equals(peer)
                && !bothLoopback(host, peer)
                && allowed.stream().noneMatch(network -> network.matches(host.getHostAddress()))) {
            throw OrthException.invalid(
                    FIELD,
                    "%s is not where the executor connects from (%s); allow its network with orth.registry.allowed-networks"
                            .formatted(host.getHostAddress(), peer.getHostAddress()));
        }
        return parsed.text();
    }

    private static boolean bothLoopback(InetAddress host, InetAddress peer) {
        return host.isLoopbackAddress() && peer.isLoopbackAddress();
    }
}
