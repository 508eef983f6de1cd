package io.orth.bench.history;

import io.orth.bench.Benchmark;
import io.orth.bench.Findings;
import io.orth.bench.Scratch;
import io.orth.bench.Sizes;
import io.orth.bench.installation.BenchAdmin;
import io.orth.bench.installation.BenchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lists, filters and reports over the REST interface while the database has millions of runs of a month. */
public final class Histories implements Benchmark {

    private static final int RUNS = Sizes.of("runs", 5_000_000, 500_000);
    private static final int JOBS = 10_000;
    private static final int ASKED = 50;
    private static final int DAYS = 30;
    private static final long GOAL_MILLIS = 100;

    private static final String DAYS_OF_A_MONTH = """
            select orth_add_run_day(((now() at time zone 'UTC')::date - n)) from generate_series(0, %d) n
            """.formatted(DAYS);

    /** Spread evenly over the month; one in a hundred failed, one job is quiet and one group too. */
    private static final String FILL = """
            insert into orth_run_history (id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time,
                                          created_at, status, seq, status_at, cause, trigger_code, handle_code, handle_msg,
                                          executor_id, address, triggered_at, finished_at, claim_until, alarm_status)
            select orth_first_run_id(((now() at time zone 'UTC')::date - %1$d))
                       + ((n * (%1$d * 86400000::numeric / %2$d))::bigint << 12),
                   1 + n %% %3$d, 'job-' || (1 + n %% %3$d), case when n %% 1000000 = 17 then 2 else 1 end, 'handler', '',
                   'SCHEDULE', at, at, status, 3, at, 'CALLBACK', 200,
                   case status when 'SUCCESS' then 200 else 500 end, status, 1, 'http://10.0.0.1:9999', at, at, at, 1
              from generate_series(%4$d, %5$d) n
             cross join lateral (select case when n %% 100 = 0 then 'FAILED' else 'SUCCESS' end as status,
                                        now() - interval '1 day' * (%1$d * (1 - n / %2$d.0)) as at) made
            """;

    private final Path adminJar;

    public Histories(Path adminJar) {
        this.adminJar = adminJar;
    }

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", 1)
                .setting("runs", RUNS)
                .setting("jobs", JOBS)
                .setting("days", DAYS)
                .setting("requestsPerQuestion", ASKED);
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"), findings);
                BenchAdmin admin = BenchAdmin.start(adminJar, database.empty(), directory)) {
            fill(admin);
            for (Map.Entry<String, String> each : questions().entrySet()) {
                long p95 = p95(admin, each.getValue());
                findings.check(each.getKey() + ".p95Millis", p95, "ms", "below " + GOAL_MILLIS, p95 < GOAL_MILLIS);
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private static void fill(BenchAdmin admin) throws Exception {
        admin.execute(DAYS_OF_A_MONTH);
        int step = Math.max(1, RUNS / 20);
        for (int from = 1; from <= RUNS; from += step) {
            admin.execute(FILL.formatted(DAYS, RUNS, JOBS, from, Math.min(RUNS, from + step - 1)));
            System.err.printf("%,d runs%n", Math.min(RUNS, from + step - 1));
        }
        admin.execute("""
                insert into orth_run_report
                select date_trunc('hour', finished_at, 'UTC'), group_id, status, count(*), 0
                  from orth_run_history group by 1, 2, 3
                """);
        admin.execute("vacuum analyze");
    }

    private static Map<String, String> questions() {
        String yesterday = Instant.now().minusSeconds(86_400).toString();
        String hourLater = Instant.now().minusSeconds(82_800).toString();
        Map<String, String> questions = new LinkedHashMap<>();
        questions.put("newest", "/api/runs?limit=50");
        questions.put("job", "/api/runs?limit=50&jobId=4711");
        questions.put("group", "/api/runs?limit=50&groupId=1");
        questions.put("quietGroup", "/api/runs?limit=50&groupId=2");
        questions.put("failed", "/api/runs?limit=50&status=FAILED");
        questions.put("timeout", "/api/runs?limit=50&status=TIMEOUT");
        questions.put("pending", "/api/runs?limit=50&status=PENDING");
        questions.put("success", "/api/runs?limit=50&status=SUCCESS");
        questions.put("unsuccessful", "/api/runs?limit=50&status=FAILED&status=TIMEOUT&status=TRIGGER_FAILED");
        questions.put("failedOfJob", "/api/runs?limit=50&status=FAILED&jobId=4700");
        questions.put("hour", "/api/runs?limit=50&from=%s&to=%s".formatted(yesterday, hourLater));
        questions.put("report", "/api/reports/runs?zone=Europe/Berlin");
        questions.put("reportOfGroup", "/api/reports/runs?groupId=1");
        return questions;
    }

    private static long p95(BenchAdmin admin, String path) throws Exception {
        long[] millis = new long[ASKED];
        for (int i = 0; i < ASKED; i++) {
            long begun = System.nanoTime();
            admin.get(path);
            millis[i] = (System.nanoTime() - begun) / 1_000_000;
        }
        Arrays.sort(millis);
        return millis[ASKED * 95 / 100];
    }
}
