package io.orth.admin.api;

import static io.orth.admin.api.SecuredServer.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.testkit.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SetupApiDbTest {

    private static final Pattern CODE = Pattern.compile("set-up code ([A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4})");

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @Test
    void createsFirstAdministratorOnceWithCodeFromLog() {
        SecuredServer admin = new SecuredServer(db);
        String code = codeIn(outputOf(admin::start));
        SecuredClient client = admin.anonymous();

        assertThat(client.get("/api/setup").body()).isEqualTo("{\"needed\":true}");
        assertThat(client.post("/api/setup", body("WRONG", "first", PASSWORD)).status())
                .isEqualTo(403);
        assertThat(client.post("/api/setup", body(code, "a b", PASSWORD)).status())
                .isEqualTo(400);
        assertThat(client.post("/api/setup", body(code, "first", "short")).status())
                .isEqualTo(400);
        assertThat(client.post("/api/setup", "{\"user\":\"first\"}")
                        .json()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("code");
        Answer made = client.post("/api/setup", body(code, "first", PASSWORD));
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.body()).isEqualTo("{\"user\":\"first\",\"role\":\"ADMIN\"}");

        assertThat(client.post("/api/setup", body(code, "second", PASSWORD)).status())
                .isEqualTo(409);
        assertThat(client.get("/api/setup").body()).isEqualTo("{\"needed\":false}");
        assertThat(client.login("first", PASSWORD).status()).isEqualTo(200);
        assertThat(admin.jdbc()
                        .sql("select string_agg(orth_audit::text, '') from orth_audit")
                        .query(String.class)
                        .single())
                .contains("first administrator")
                .doesNotContain(code, PASSWORD);
        admin.stop();
    }

    private static String body(String code, String user, String password) {
        return "{\"code\":\"%s\",\"user\":\"%s\",\"password\":\"%s\"}".formatted(code, user, password);
    }

    private static String codeIn(String output) {
        Matcher code = CODE.matcher(output);
        assertThat(code.find()).as(output).isTrue();
        return code.group(1);
    }

    private static String outputOf(Runnable work) {
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            work.run();
        } finally {
            System.setOut(before);
        }
        return output.toString(StandardCharsets.UTF_8);
    }
}
