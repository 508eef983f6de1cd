package io.orth.admin.run;

import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.RunRepository.Gone;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Fails awaited runs whose results will not arrive, oldest first. A run that cannot be failed is skipped until the next call, so it does
 * not block others.
 */
final class LostRuns {

    private static final Logger log = LoggerFactory.getLogger(LostRuns.class);

    /** Statements that find such runs, and that lock those which still qualify, skipping rows locked by another node. */
    record Which(String find, String lock) {

        /** @param runs the statement after "select" and its columns, up to its conditions; the runs have the alias r */
        static Which of(String runs) {
            return new Which(
                    "select r.id" + runs + " and r.id > :after order by r.id limit :limit",
                    "select " + Gone.COLUMNS + runs
                            + " and r.id = any(:ids) order by r.id for update of r skip locked");
        }
    }

    private final JdbcClient jdbc;
    private final RunLifecycle lifecycle;
    private final Transactions transactions;

    LostRuns(JdbcClient jdbc, RunLifecycle lifecycle, Transactions transactions) {
        this.jdbc = jdbc;
        this.lifecycle = lifecycle;
        this.transactions = transactions;
    }

    /** Returns how many runs failed: fewer than {@code limit} only if no other run can be failed now. */
    int fail(Which which, Map<String, ?> parameters, String message, int limit) {
        AtomicInteger failed = new AtomicInteger();
        long after = 0;
        List<Long> found;
        do {
            found = jdbc.sql(which.find())
                    .params(parameters)
                    .param("after", after)
                    .param("limit", limit)
                    .query(Long.class)
                    .list();
            if (!found.isEmpty()) {
                after = found.get(found.size() - 1);
                Splitter.run(
                        found,
                        some -> failed.addAndGet(failNow(which, parameters, some, message)),
                        (run, why) -> log.atWarn()
                                .addKeyValue("run", run)
                                .setCause(why)
                                .log("a run whose result is lost could not be failed; tried again soon"));
            }
        } while (found.size() == limit && failed.get() < limit);
        return failed.get();
    }

    private int failNow(Which which, Map<String, ?> parameters, List<Long> ids, String message) {
        return transactions
                .call(() -> lifecycle.fail(
                        jdbc.sql(which.lock())
                                .params(parameters)
                                .param("ids", SqlArrays.bigints(ids, id -> id))
                                .query(Gone::read)
                                .list(),
                        message,
                        "its executor is gone"))
                .size();
    }
}
