package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orth.admin.AdminFixture;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

@Tag("must-first")
class RejectedRegistrationsDbTest {

    private static final String ADDRESS = "http://executor:9999/";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private AdminFixture admin;
    private RejectedRegistrations rejections;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        admin.jdbc.sql("truncate orth_rejected_registration").update();
        rejections = anotherNode();
    }

    @Test
    void aggregatesEqualRejectionsOfAllNodes() {
        RejectedRegistrations other = anotherNode();
        rejections.note(attempt("10.0.0.7", "billing", ADDRESS));
        rejections.note(attempt("10.0.0.7", "billing", ADDRESS));
        other.note(attempt("10.0.0.7", "billing", ADDRESS));
        other.note(attempt("10.0.0.7", "orders", ADDRESS));

        rejections.run();
        other.run();

        assertThat(rejections.list())
                .extracting(each -> each.attempt().groupName(), RejectedRegistration::attempts)
                .containsExactlyInAnyOrder(tuple("billing", 3L), tuple("orders", 1L));
        assertThat(rejections.list())
                .allSatisfy(each -> assertThat(each.firstSeenAt()).isBeforeOrEqualTo(each.lastSeenAt()));
    }

    @Test
    void publishesOneLineForEach() {
        for (int i = 0; i < 5; i++) {
            rejections.note(attempt("10.0.0.7", "billing", ADDRESS));
            rejections.run();
        }

        assertThat(admin.systemLog.lines())
                .containsExactly(
                        "WARN rejected the registration of an executor at 'http://executor:9999/' for group 'billing',"
                                + " which connected from 10.0.0.7: must name the executor by its IP address");
    }

    @Test
    void printsOneLineForEach() {
        ListAppender<ILoggingEvent> printed = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(RejectedRegistrations.class);
        printed.start();
        logger.addAppender(printed);
        logger.setLevel(Level.WARN);
        try {
            for (int i = 0; i < 5; i++) {
                rejections.note(attempt("10.0.0.7", "billing", ADDRESS));
                rejections.run();
            }
        } finally {
            logger.setLevel(null);
            logger.detachAppender(printed);
        }

        assertThat(printed.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .isEqualTo("rejected the registration of an executor: must name the executor by its IP address");
            assertThat(line.getKeyValuePairs())
                    .extracting(pair -> pair.key, pair -> pair.value)
                    .containsExactly(
                            tuple("peer", "10.0.0.7"),
                            tuple("group", "billing"),
                            tuple("address", ADDRESS),
                            tuple("reason", RejectionReason.INVALID_ADDRESS));
        });
    }

    @Test
    void oneCallerCannotCrowdOutOthers() {
        flood("10.6.6.6", 10_000);
        rejections.note(attempt("10.0.0.7", "billing", ADDRESS));
        rejections.run();

        assertThat(rejections.list()).hasSize(RejectedRegistrations.MAX_REMEMBERED_PER_PEER + 1);
        assertThat(rejections.list())
                .anyMatch(each -> each.attempt().groupName().equals("billing"));
    }

    @Test
    void neitherRowsNorLinesGrowWithoutBound() {
        for (int pass = 0; pass < 10; pass++) {
            for (int peer = 0; peer < 100; peer++) {
                flood("10.6.%d.%d".formatted(pass, peer), 10);
            }
            rejections.run();
        }

        assertThat(rejections.list()).hasSize(RejectedRegistrations.MAX_ROWS);
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_rejected_registration")
                        .query(Integer.class)
                        .single())
                .isEqualTo(RejectedRegistrations.MAX_ROWS);
        assertThat(admin.systemLog.lines()).hasSize(RejectedRegistrations.MAX_LINES + 1);
        assertThat(admin.systemLog.lines().get(RejectedRegistrations.MAX_LINES))
                .isEqualTo("WARN more registrations of executors are rejected; the page Executors lists them");

        clock.advance(RejectedRegistrations.LINES_PERIOD);
        rejections.note(attempt("10.0.0.7", "billing", ADDRESS));
        rejections.run();

        assertThat(admin.systemLog.lines()).hasSize(RejectedRegistrations.MAX_LINES + 2);
        assertThat(rejections.list()).hasSize(RejectedRegistrations.MAX_ROWS);
        assertThat(rejections.list().get(0).attempt().groupName()).isEqualTo("billing");
    }

    @Test
    void forgetsRejectionsAfterAWeek() {
        rejections.note(attempt("10.0.0.7", "old", ADDRESS));
        rejections.run();
        admin.jdbc
                .sql("update orth_rejected_registration set last_seen_at = now() - interval '8 days'")
                .update();
        assertThat(rejections.list()).isEmpty();

        rejections.note(attempt("10.0.0.7", "new", ADDRESS));
        rejections.run();

        assertThat(admin.jdbc
                        .sql("select group_name from orth_rejected_registration")
                        .query(String.class)
                        .list())
                .containsExactly("new");
    }

    @Test
    void keepsTextsShortPlainAndWithoutSecrets() {
        String token = "orthg_" + "x".repeat(43);
        rejections.note(new RejectedAttempt(
                        "10.0.0.7",
                        "a\u0000b\n\u202e%s%s".formatted(token, "c".repeat(100_000)),
                        "http://user:secret@10.0.0.1:9/ default_token \ud800",
                        RejectionReason.WRONG_TOKEN,
                        "m".repeat(100_000))
                .without("default_token"));
        rejections.run();

        assertThat(rejections.list()).singleElement().satisfies(each -> {
            assertThat(each.attempt().groupName()).startsWith("a b  orthg_***").hasSizeLessThanOrEqualTo(64);
            assertThat(each.attempt().address()).isEqualTo("http://***@10.0.0.1:9/ ***");
            assertThat(each.attempt().message()).hasSize(300).endsWith("…");
        });
        assertThat(admin.systemLog.lines().toString())
                .doesNotContain(token)
                .doesNotContain("default_token")
                .doesNotContain("secret");
    }

    private RejectedRegistrations anotherNode() {
        return new RejectedRegistrations(admin.jdbc, admin.transactions, admin.systemLog, clock.ticker()::getAsLong);
    }

    private void flood(String peer, int times) {
        IntStream.range(0, times).forEach(i -> rejections.note(attempt(peer, "group-%d".formatted(i), ADDRESS)));
    }

    private static RejectedAttempt attempt(String peer, String group, String address) {
        return new RejectedAttempt(
                peer, group, address, RejectionReason.INVALID_ADDRESS, "must name the executor by its IP address");
    }
}
