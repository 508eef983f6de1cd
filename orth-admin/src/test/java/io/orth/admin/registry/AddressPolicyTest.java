package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decides by the text alone: nothing here is resolved or connected to. */
class AddressPolicyTest {

    private static final String PEER = "10.1.2.3";

    private final AddressPolicy strict = policy();
    private final AddressPolicy open = policy("0.0.0.0/0", "::/0");

    @ParameterizedTest
    @CsvSource({
        "http://10.1.2.3:9999,        http://10.1.2.3:9999",
        "http://10.1.2.3:9999/,       http://10.1.2.3:9999",
        "https://10.1.2.3:1/,         https://10.1.2.3:1",
        "' http://10.1.2.3:65535/ ',  http://10.1.2.3:65535"
    })
    void anExecutorMayRegisterWhereItConnectsFrom(String address, String oneForm) throws UnknownHostException {
        assertThat(strict.check(address, peer(PEER))).isEqualTo(oneForm);
    }

    @Test
    void allAddressesOfThisMachineAreOnePlace() throws UnknownHostException {
        assertThat(strict.check("http://127.0.0.1:9999/", peer("::1"))).isEqualTo("http://127.0.0.1:9999");
        assertThat(strict.check("http://[::1]:9999/", peer("127.0.0.1"))).isEqualTo("http://[::1]:9999");
    }

    @Test
    void anIpv6AddressIsAllowed() throws UnknownHostException {
        assertThat(strict.check("http://[2001:db8::7]:9999/", peer("2001:db8::7")))
                .isEqualTo("http://[2001:db8::7]:9999");
    }

    @Test
    void otherAddressesNeedConfiguration() throws UnknownHostException {
        assertRejected(strict, "http://10.1.2.4:9999/");
        assertThat(policy("10.1.2.0/24").check("http://10.1.2.4:9999/", peer(PEER)))
                .isEqualTo("http://10.1.2.4:9999");
        assertRejected(policy("10.1.2.0/24"), "http://10.1.3.4:9999/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254:80/",
                "http://[fe80::1]:80/",
                "http://0.0.0.0:9999/",
                "http://[::]:9999/",
                "http://224.0.0.1:9999/",
                "http://239.255.255.250:1900/",
                "http://[ff02::1]:9999/",
                "http://[::ffff:169.254.169.254]:80/"
            })
    void rejectsReservedAddressesRegardlessOfSettings(String address) {
        assertRejected(open, address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://[::ffff:127.0.0.1]:9999/",
                "http://0x7f000001:9999/",
                "http://0x7f.0.0.1:9999/",
                "http://0177.0.0.1:9999/",
                "http://127.1:9999/",
                "http://127.0.1:9999/",
                "http://2130706433:9999/",
                "http://256.1.1.1:9999/",
                "http://999.999.999.999:9999/",
                "http://1.2.3.4.5:9999/",
                "http://localhost:9999/",
                "http://metadata.google.internal:80/",
                "http://10.1.2.3.nip.io:9999/",
                "http://executor:9999/",
                "http://user@10.1.2.3:9999/",
                "http://user:secret@10.1.2.3:9999/",
                "http://10.1.2.3:9999@evil.example:80/",
                "file:///etc/passwd",
                "gopher://10.1.2.3:70/",
                "ftp://10.1.2.3:21/",
                "jar:http://10.1.2.3:9999/!/",
                "HTTP://10.1.2.3:9999/x",
                "http://user@10.1.2.3:9999/job",
                "//10.1.2.3:9999/",
                "10.1.2.3:9999",
                "http:10.1.2.3:9999",
                "http:///",
                "http://10.1.2.3/",
                "http://10.1.2.3:0/",
                "http://10.1.2.3:65536/",
                "http://10.1.2.3:-1/",
                "http://10.1.2.3:99999999999/",
                "http://10.1.2.3:9999//",
                "http://10.1.2.3:9999//job",
                "http://10.1.2.3:9999/job//",
                "http://10.1.2.3:9999/a//b",
                "http://10.1.2.3:9999/../",
                "http://10.1.2.3:9999/job/..",
                "http://10.1.2.3:9999/job/../run",
                "http://10.1.2.3:9999/./job",
                "http://10.1.2.3:9999/job/.",
                "http://10.1.2.3:9999/.hidden",
                "http://10.1.2.3:9999/...",
                "http://10.1.2.3:9999/?q=1",
                "http://10.1.2.3:9999/job?q=1",
                "http://10.1.2.3:9999/job?",
                "http://10.1.2.3:9999/#f",
                "http://10.1.2.3:9999/job#f",
                "http://10.1.2.3:9999/job#",
                "http://10.1.2.3:9999/%2e%2e",
                "http://10.1.2.3:9999/job/%2E%2E/run",
                "http://10.1.2.3:9999/job%2f..",
                "http://10.1.2.3:9999/job%00",
                "http://10.1.2.3:9999/job;x=1",
                "http://10.1.2.3:9999/a@evil.example",
                "http://10.1.2.3:9999/job\\..",
                "http://10.1.2.3:9999/job\r\nX-Injected: 1",
                "http://10.1.2.3:9999/job\r\n",
                "http://10.1.2.3:9999/jo b",
                "http://10.1.2.3:9999/\u4efb\u52a1",
                "http://10.1.2.3:9999\r\nX-Injected: 1",
                "http://10.1.2.3\r\n:9999/",
                "http://10.1.2.3 :9999/",
                "http://10.1.2.3\0:9999/",
                "http://[fe80::1%25eth0]:9999/",
                "http://[::1:9999/",
                "http://[]:9999/",
                "http://\uFF11\uFF10.1.2.3:9999/",
                "\\\\10.1.2.3\\share",
                "",
                " "
            })
    void rejectsAnythingButPlainAddresses(String address) {
        assertRejected(open, address);
    }

    @Test
    void rejectsEndlessAddress() {
        assertRejected(open, "http://" + "1".repeat(65_536) + ":9999/");
        assertRejected(open, "http://10.1.2.3:9999/" + "/".repeat(65_536));
        assertRejected(open, "http://10.1.2.3:9999/" + "a".repeat(100));
    }

    @Tag("must-first")
    @ParameterizedTest
    @CsvSource({
        "http://10.1.2.3:9999/job,              http://10.1.2.3:9999/job",
        "http://10.1.2.3:9999/job/,             http://10.1.2.3:9999/job",
        "https://10.1.2.3:9999/php-xxl-job,     https://10.1.2.3:9999/php-xxl-job",
        "http://10.1.2.3:8080/e/xxl-job/simple, http://10.1.2.3:8080/e/xxl-job/simple",
        "http://10.1.2.3:8080/v1.2/_x~1,        http://10.1.2.3:8080/v1.2/_x~1"
    })
    void acceptsAnAddressWithAPath(String address, String oneForm) throws UnknownHostException {
        assertThat(strict.check(address, peer(PEER))).isEqualTo(oneForm);
    }

    @Test
    void appliesAddressRulesToAnyPath() {
        assertRejected(strict, "http://10.1.2.4:9999/job");
        assertRejected(open, "http://169.254.169.254:80/latest");
        assertRejected(open, "http://executor:9999/job");
    }

    private static AddressPolicy policy(String... allowed) {
        Duration second = Duration.ofSeconds(1);
        return new AddressPolicy(new RegistryProperties(
                Duration.ofSeconds(5),
                null,
                second,
                second,
                second,
                null,
                second,
                second,
                second,
                second,
                second,
                Duration.ofDays(1),
                List.of(allowed)));
    }

    private static InetAddress peer(String literal) throws UnknownHostException {
        return InetAddress.getByName(literal);
    }

    private static void assertRejected(AddressPolicy policy, String address) {
        assertThatThrownBy(() -> policy.check(address, peer(PEER))).isInstanceOfSatisfying(OrthException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT);
            assertThat(e.fields()).extracting(FieldError::field).containsExactly("registryValue");
            assertThat(e.getMessage()).hasSizeLessThan(600);
        });
    }
}
