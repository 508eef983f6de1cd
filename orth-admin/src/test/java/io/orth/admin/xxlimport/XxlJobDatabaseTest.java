package io.orth.admin.xxlimport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.OrthException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class XxlJobDatabaseTest {

    private static final XxlJobDatabase.Patience SHORT =
            new XxlJobDatabase.Patience(Duration.ofMillis(300), Duration.ofMillis(300));

    private static XxlJobServer at(int port) {
        return new XxlJobServer("127.0.0.1", port, "xxl_job", "someone", "a secret", false);
    }

    @Test
    void abandonsSilentServer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> XxlJobDatabase.open(at(silent.getLocalPort()), SHORT))
                    .isInstanceOf(OrthException.class)
                    .hasMessageContaining("host did not answer at port %d", silent.getLocalPort());
        }
    }

    @Test
    void reportsClosedPort() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }

        assertThatThrownBy(() -> XxlJobDatabase.open(at(free), SHORT))
                .isInstanceOf(OrthException.class)
                .hasMessage("host takes no connections at port %d", free);
    }

    @Test
    void thePasswordIsNotWrittenAnywhere() {
        assertThat(at(3306).toString()).isEqualTo("127.0.0.1:3306/xxl_job as someone");
    }
}
