package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Rejected registrations of executors, as operators see them. */
@Tag("must-first")
class RejectedRegistrationsApiDbTest {

    private static final String PATH = "/api/rejected-registrations";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String groupName = "x-" + UUID.randomUUID();
    private SecuredClient api;
    private String token;

    @BeforeEach
    void setUp() {
        api = admin.api();
        String group = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(groupName))
                .json()
                .path("id")
                .asString();
        token = api.get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
    }

    @ParameterizedTest
    @CsvSource({
        "http://executor-7:9999/,            INVALID_ADDRESS,     by its IP address",
        "http://127.0.0.1:9999/job/../admin, INVALID_ADDRESS,     must have a path like /job",
        "http://10.9.8.7:9999/,              ADDRESS_NOT_ALLOWED, orth.registry.allowed-networks"
    })
    void listsAddressesThatAreRejected(String address, String reason, String message) {
        register(token, groupName, address);
        register(token, groupName, address);

        JsonNode shown = await(each -> each.path("groupName").asString().equals(groupName)
                && each.path("attemptCount").asInt() == 2);

        assertThat(shown.path("address").asString()).isEqualTo(address);
        assertThat(shown.path("reason").asString()).isEqualTo(reason);
        assertThat(shown.path("message").asString()).contains(message);
        assertThat(shown.path("peer").asString()).isEqualTo("127.0.0.1");
        assertThat(shown.path("firstSeenAt").asString()).isNotBlank();
        assertThat(shown.path("lastSeenAt").asString()).isNotBlank();
    }

    @Test
    void listsAWrongTokenAndNeverTheTokenItself() {
        String wrong = "default_token_%s".formatted(UUID.randomUUID());
        register(wrong, groupName, "http://127.0.0.1:9999/" + wrong);

        JsonNode shown = await(each -> each.path("groupName").asString().equals(groupName));

        assertThat(shown.path("reason").asString()).isEqualTo("WRONG_TOKEN");
        assertThat(shown.path("address").asString()).isEqualTo("http://127.0.0.1:9999/***");
        assertThat(shown.path("message").asString()).isEqualTo("The access token is wrong.");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> archived(groupName).contains("rejected the registration"));
        assertThat(archived(groupName)).doesNotContain(wrong);
        assertThat(admin.jdbc()
                        .sql("select string_agg(r::text, '') from orth_rejected_registration r")
                        .query(String.class)
                        .single())
                .doesNotContain(wrong);
    }

    @Test
    void listsGroupThatDoesNotMatchTheToken() {
        String other = "y-" + UUID.randomUUID();
        register(token, other, "http://127.0.0.1:9999/");

        JsonNode shown = await(each -> each.path("groupName").asString().equals(other));

        assertThat(shown.path("reason").asString()).isEqualTo("WRONG_GROUP");
        assertThat(shown.toString()).doesNotContain(token);
    }

    @Test
    void boundsBodyOfCallerWithoutToken() {
        String large = "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%s\",\"x\":\"%s\"}"
                .formatted(groupName, "x".repeat(100_000));

        String answer = admin.anonymous()
                .header(Headers.XXL_ACCESS_TOKEN, "no token " + groupName)
                .post("/api/registry", large)
                .body();
        register("no token " + groupName, groupName + "-end", "http://127.0.0.1:9999/");

        assertThat(answer).contains("The access token is wrong.");
        await(each -> each.path("groupName").asString().equals(groupName + "-end"));
        assertThat(list()).noneMatch(each -> each.path("groupName").asString().equals(groupName));
    }

    @Test
    void keepsNothingOfARegistrationThatSucceeds() {
        register(token, groupName, "http://127.0.0.1:9999/job");
        register(token, groupName, "http://name:1/");

        await(each -> each.path("groupName").asString().equals(groupName));
        assertThat(list())
                .filteredOn(each -> each.path("groupName").asString().equals(groupName))
                .hasSize(1);
    }

    @Test
    void requiresAuthentication() {
        assertThat(admin.anonymous().get(PATH).status()).isEqualTo(401);
    }

    private void register(String shown, String group, String address) {
        admin.anonymous()
                .header(Headers.XXL_ACCESS_TOKEN, shown)
                .post(
                        "/xxl-job-admin/api/registry",
                        "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%s\",\"registryValue\":\"%s\"}"
                                .formatted(group, address));
    }

    private List<JsonNode> list() {
        List<JsonNode> all = new ArrayList<>();
        api.get(PATH).json().forEach(all::add);
        return all;
    }

    private JsonNode await(Predicate<JsonNode> wanted) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> list().stream().filter(wanted).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    private String archived(String text) {
        return api.get("/api/logs/archive?message=" + text).body();
    }
}
