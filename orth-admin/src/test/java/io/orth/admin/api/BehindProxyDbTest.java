package io.orth.admin.api;

import static io.orth.admin.api.SecuredServer.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.testkit.TestDatabase;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Behind a proxy that speaks HTTPS to the browser and hides the host's name. */
class BehindProxyDbTest {

    private static final String SECURE_SESSION = "__Host-orth-session";

    @Order(1)
    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    @Order(2)
    @RegisterExtension
    static final SecuredServer admin = new SecuredServer(db)
            .with("orth.security.secure-cookies", true)
            .with("orth.security.origins", "https://orth.example");

    @Test
    void sendsCookiesOverHttpsOnly() {
        SecuredClient client = admin.anonymous();

        Answer answer = client.login("viewer", PASSWORD);

        assertThat(answer.headers().allValues("Set-Cookie"))
                .isNotEmpty()
                .allMatch(cookie -> cookie.contains("; Secure") && cookie.contains("SameSite=Strict"))
                .anyMatch(cookie -> cookie.startsWith(SECURE_SESSION + "="));
        assertThat(client.get("/api/session").status()).isEqualTo(200);
    }

    @Test
    void doesNotTakeTheSessionFromACookieThatAnotherHostCouldHaveSet() {
        SecuredClient client = admin.anonymous();
        client.login("viewer", PASSWORD);
        String token = client.cookies().remove(SECURE_SESSION);
        client.cookies().put(SecuredClient.SESSION, token);

        assertThat(client.get("/api/session").status()).isEqualTo(401);
    }

    @Test
    void acceptsConfiguredOrigin() {
        assertThat(admin.anonymous()
                        .header("Origin", "https://orth.example")
                        .header("Sec-Fetch-Site", "same-origin")
                        .login("viewer", PASSWORD)
                        .status())
                .isEqualTo(200);
        assertThat(admin.anonymous()
                        .header("Origin", "https://orth.example.evil")
                        .login("viewer", PASSWORD)
                        .status())
                .isEqualTo(403);
    }
}
