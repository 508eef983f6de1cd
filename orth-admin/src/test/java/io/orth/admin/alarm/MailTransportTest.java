package io.orth.admin.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.alarm.ChannelSpec.Watch;
import io.orth.admin.kernel.OrthException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailTransportTest {

    /** Lines received from clients. */
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private ServerSocket server;
    private volatile boolean refuse;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "smtp");
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void mailsAlarmToAllRecipients() throws Exception {
        transport(AlarmProperties.Encryption.NONE).send(channel(), message("nightly"));

        assertThat(heard)
                .contains("MAIL FROM:<orth@example.org>", "RCPT TO:<a@example.org>", "RCPT TO:<b@example.org>")
                .anyMatch(line -> line.startsWith("Subject: Orth: 1 failed: nightly"));
    }

    @Test
    void jobNameCannotInjectHeader() throws Exception {
        transport(AlarmProperties.Encryption.NONE).send(channel(), message("x\r\nBcc: evil@example.org"));

        assertThat(heard.subList(0, heard.indexOf(""))).noneMatch(line -> line.startsWith("Bcc:"));
    }

    @Test
    void quotesRejectionOfServer() {
        refuse = true;

        assertThatThrownBy(() -> transport(AlarmProperties.Encryption.NONE).send(channel(), message("j")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("550");
    }

    @Test
    void sendsNothingWithoutRequiredEncryption() {
        assertThatThrownBy(() -> transport(AlarmProperties.Encryption.STARTTLS).send(channel(), message("j")))
                .isInstanceOf(IOException.class);
        assertThat(heard).noneMatch(line -> line.startsWith("MAIL"));
    }

    @Test
    void reportsMissingMailServer() {
        MailTransport none = new MailTransport(
                new AlarmProperties.Mail("", 587, "", "", "", AlarmProperties.Encryption.NONE), Duration.ofSeconds(5));

        assertThatThrownBy(() -> none.send(channel(), message("j"))).hasMessageContaining("orth.alarm.mail.host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "nobody", "a@b@c", "a@example.org\r\nBcc: x@example.org", ","})
    void rejectsInvalidMailAddress(String addresses) {
        assertThatThrownBy(() -> MailAddresses.check(addresses))
                .isInstanceOf(OrthException.class)
                .hasMessageStartingWith("target ");
    }

    private MailTransport transport(AlarmProperties.Encryption encryption) {
        return new MailTransport(
                new AlarmProperties.Mail("127.0.0.1", server.getLocalPort(), "", "", "orth@example.org", encryption),
                Duration.ofSeconds(5));
    }

    private static ChannelSpec channel() {
        return new ChannelSpec(
                "ops",
                ChannelKind.MAIL,
                "a@example.org, b@example.org",
                null,
                null,
                false,
                Duration.ZERO,
                new Watch(true, Set.of(), Set.of()),
                true);
    }

    private static AlarmMessage message(String job) {
        return AlarmMessage.ofRuns(
                1, "ops", "", 1, List.of(new Told(7, 1, job, "g", "FAILED", 200, 500, 1, "msg", null)));
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket client = server.accept();
                    BufferedReader in =
                            new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                    PrintWriter out = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8)) {
                say(out, "220 test");
                talk(in, out);
            } catch (IOException e) {
                heard.add("closed");
            }
        }
    }

    private void talk(BufferedReader in, PrintWriter out) throws IOException {
        boolean data = false;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            heard.add(line);
            if (data) {
                data = !line.equals(".");
                if (!data) {
                    say(out, "250 taken");
                }
            } else if (line.equals("DATA")) {
                data = true;
                say(out, "354 go on");
            } else if (refuse && line.startsWith("RCPT")) {
                say(out, "550 no such user");
            } else if (line.equals("QUIT")) {
                say(out, "221 bye");
                return;
            } else {
                say(out, "250 ok");
            }
        }
    }

    private static void say(PrintWriter out, String line) {
        out.print(line + "\r\n");
        out.flush();
    }
}
