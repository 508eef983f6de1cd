package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Tag("must-runs")
class ReportsApiDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @Test
    void reportsRunCountsForEveryDay() {
        admin.jdbc().sql("""
                        insert into orth_run_report values ('2027-03-02T10:00:00Z', 77, 'SUCCESS', 3, 900),
                        ('2027-03-02T11:00:00Z', 77, 'FAILED', 1, 100), ('2027-03-02T11:00:00Z', 78, 'TIMEOUT', 5, 0)
                        """).update();

        JsonNode report = report("from=2027-03-01&to=2027-03-03&groupId=77").json();

        assertThat(report.path("zone").asString()).isEqualTo("UTC");
        assertThat(report.path("open").isNumber()).isTrue();
        assertThat(report.path("days").size()).isEqualTo(3);
        assertThat(report.path("days").get(0).path("averageMillis").isNull()).isTrue();
        JsonNode day = report.path("days").get(1);
        assertThat(day.path("day").asString()).isEqualTo("2027-03-02");
        assertThat(day.path("success").asInt()).isEqualTo(3);
        assertThat(day.path("failed").asInt()).isEqualTo(1);
        assertThat(day.path("timeout").asInt()).isZero();
        assertThat(day.path("averageMillis").asInt()).isEqualTo(250);
    }

    @Test
    void withoutARangeTheLastThirtyDaysAreReported() {
        assertThat(report("").json().path("days").size()).isEqualTo(30);
    }

    /** The browser sends its own, whatever the database knows of it. */
    @Test
    void everyZoneOfThisJavaIsUnderstood() {
        assertThat(ZoneId.getAvailableZoneIds())
                .allMatch(zone ->
                        report("from=2027-03-01&to=2027-03-01&zone=" + URLEncoder.encode(zone, StandardCharsets.UTF_8))
                                        .status()
                                == 200);
    }

    @ParameterizedTest
    @CsvSource({
        "from=yesterday, from",
        "from=2027-02-30, from",
        "from=-999999999-01-01, from",
        "to=2027-03-01T00:00:00Z, to",
        "to=10000-01-01, to",
        "from=2027-03-02&to=2027-03-01, to",
        "from=2026-01-01&to=2027-12-31, from",
        "zone=Mars/Olympus, zone",
        "zone='UTC;drop', zone",
        "groupId=one, groupId",
        "groupId=99999999999, groupId"
    })
    void rejectsInvalidParameterWithItsField(String query, String field) {
        Answer answer = report(query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("errors").get(0).path("field").asString()).isEqualTo(field);
    }

    private static Answer report(String query) {
        return admin.api().get("/api/reports/runs?" + query);
    }
}
