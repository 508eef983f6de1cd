package io.orth.admin.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.OrthException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing here connects: the test resolves the names. */
class WebhookPolicyTest {

    @Tag("must-runs")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "ftp://example.org/x",
                "file:///etc/passwd",
                "gopher://example.org/x",
                "http:example.org",
                "http://",
                "http:///x",
                "//example.org/x",
                "http://user:pass@example.org/x",
                "http://a@b/x",
                "http://example.org/x#fragment",
                "http://example.org:0/x",
                "http://example.org:70000/x",
                "http://0x7f000001/x",
                "http://2130706433/x",
                "http://127.1/x",
                "http://0177.0.0.1/x",
                "http://example.org\r\nX: y/",
                "http://exa mple.org/",
                "http://exämple.org/",
                "http://-bad-.org/"
            })
    void rejectsUnusualAddressWhenSaved(String address) {
        assertThatThrownBy(() -> WebhookAddress.check(address))
                .isInstanceOf(OrthException.class)
                .hasMessageStartingWith("target ");
        assertThatThrownBy(() -> WebhookAddress.check("http://" + "x".repeat(65_536) + "/"))
                .isInstanceOf(OrthException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://hooks.slack.com/services/T/B/x",
                "http://93.184.216.34/x",
                "http://[2001:db8::1]:8080/x?a=b"
            })
    void acceptsPlainAddress(String address) {
        assertThat(WebhookAddress.check(address)).isEqualTo(address);
    }

    @Test
    void masksEverythingAfterHost() {
        assertThat(WebhookAddress.masked("https://hooks.slack.com:8443/services/secret?x=y"))
                .isEqualTo("https://hooks.slack.com:8443/…");
    }

    @Tag("must-runs")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "100.64.0.1",
                "169.254.169.254",
                "100.100.100.200",
                "0.0.0.0",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "::ffff:127.0.0.1",
                "fe80::1",
                "fd00:ec2::254",
                "fc00::1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "ff02::1"
            })
    void rejectsNameThatResolvesToReservedAddress(String ip) {
        assertThatThrownBy(() -> policy(ip).check(URI.create("https://innocent.example/x")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void acceptsPublicIpv6Address() {
        assertThatCode(() -> policy("2606:4700:4700::1111").check(URI.create("https://six.example/x")))
                .doesNotThrowAnyException();
    }

    @Test
    void rejectsHostWithOneReservedAddress() {
        WebhookPolicy policy = policy("93.184.216.34", "10.0.0.1");

        assertThatThrownBy(() -> policy.check(URI.create("https://two.example/x")))
                .hasMessageContaining("10.0.0.1");
    }

    @Test
    void acceptsOnlyCommonPortsOfPublicHosts() {
        WebhookPolicy policy = policy("93.184.216.34");

        assertThatCode(() -> policy.check(URI.create("https://example.org/x"))).doesNotThrowAnyException();
        assertThatCode(() -> policy.check(URI.create("https://example.org:8443/x")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> policy.check(URI.create("http://example.org:22/x")))
                .hasMessageContaining("port 22");
        assertThatThrownBy(() -> policy.check(URI.create("http://example.org:6379/x")))
                .hasMessageContaining("6379");
    }

    @Test
    void acceptsAllowedNetworksExceptReservedOnes() {
        List<String> all = List.of("0.0.0.0/0", "::/0");

        assertThatCode(() -> new WebhookPolicy(List.of("10.0.0.0/8"), host -> addresses("10.1.2.3"))
                        .check(URI.create("http://inside.example:9000/x")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> new WebhookPolicy(all, host -> addresses("169.254.169.254"))
                        .check(URI.create("http://metadata.example/x")))
                .isInstanceOf(IOException.class);
    }

    private static WebhookPolicy policy(String... ips) {
        return new WebhookPolicy(List.of(), host -> addresses(ips));
    }

    private static InetAddress[] addresses(String... ips) {
        return List.of(ips).stream()
                .map(ip -> {
                    try {
                        return InetAddress.getByName(ip);
                    } catch (IOException e) {
                        throw new IllegalArgumentException(e);
                    }
                })
                .toArray(InetAddress[]::new);
    }
}
