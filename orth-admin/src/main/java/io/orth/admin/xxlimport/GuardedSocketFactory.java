package io.orth.admin.xxlimport;

import io.orth.admin.registry.ExecutorAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/**
 * Factory of the sockets to XXL-JOB databases. Checks the resolved address at connect time, so that a changed DNS entry cannot bypass the
 * check. Public because the driver instantiates it by name.
 */
public final class GuardedSocketFactory extends SocketFactory {

    /** The address is one that is never connected to. */
    static final class RefusedHost extends IOException {

        private static final long serialVersionUID = 1L;

        private RefusedHost(InetAddress host) {
            super("%s is not an address of a database".formatted(host.getHostAddress()));
        }
    }

    private static final class GuardedSocket extends Socket {

        /** All connect methods of the socket call this one. */
        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            if (endpoint instanceof InetSocketAddress address
                    && !address.isUnresolved()
                    && ExecutorAddress.isNobodys(address.getAddress())) {
                throw new RefusedHost(address.getAddress());
            }
            super.connect(endpoint, timeout);
        }
    }

    @Override
    public Socket createSocket() {
        return new GuardedSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return createSocket(host, port);
    }

    private static Socket connected(InetSocketAddress address) throws IOException {
        Socket socket = new GuardedSocket();
        socket.connect(address, 0);
        return socket;
    }
}
