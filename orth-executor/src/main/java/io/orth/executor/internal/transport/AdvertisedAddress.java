package io.orth.executor.internal.transport;

import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * The address at which admins reach this executor. Unless configured, it is the listening address. If the executor listens on all
 * interfaces, it is the local address from which the first admin is reached, which that admin sees as the peer's.
 */
public final class AdvertisedAddress {

    private final List<URI> admins;
    private final InetSocketAddress listening;
    private volatile URI decided;

    public AdvertisedAddress(URI configured, List<URI> admins, InetSocketAddress listening) {
        this.admins = admins;
        this.listening = listening;
        this.decided = configured;
    }

    /** Returns the address. It stays the same once the name of an admin could be resolved; until then it is a guess. */
    public URI get() {
        if (decided == null && !listening.getAddress().isAnyLocalAddress()) {
            decided = uri(listening.getAddress());
        }
        if (decided == null) {
            decided = towardsFirstAdmin();
        }
        return decided == null ? uri(InetAddress.getLoopbackAddress()) : decided;
    }

    /** Returns null while the name of no admin can be resolved. */
    private URI towardsFirstAdmin() {
        for (URI admin : admins) {
            try {
                return uri(localAddressTowards(admin));
            } catch (SocketException | UnknownHostException e) {
                // Not this admin, or not yet.
            }
        }
        return null;
    }

    /** Connecting a datagram socket only selects the route; nothing is sent. */
    private static InetAddress localAddressTowards(URI admin) throws SocketException, UnknownHostException {
        InetAddress target = InetAddress.getByName(admin.getHost());
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(target, admin.getPort() < 0 ? 80 : admin.getPort()));
            return socket.getLocalAddress();
        }
    }

    private URI uri(InetAddress address) {
        String host = address.getHostAddress();
        int scope = host.indexOf('%');
        String plain = scope < 0 ? host : host.substring(0, scope);
        return URI.create("http://%s:%d/"
                .formatted(address instanceof Inet6Address ? "[" + plain + "]" : plain, listening.getPort()));
    }
}
