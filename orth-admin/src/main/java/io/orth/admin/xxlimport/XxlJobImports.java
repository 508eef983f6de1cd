package io.orth.admin.xxlimport;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.Groups;
import io.orth.admin.security.Users;
import io.orth.admin.xxlimport.ImportReport.Entry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Component;

/** Imports from XXL-JOB databases. Each node runs one import at a time. */
@Component
public class XxlJobImports {

    private static final List<String> NEVER_IMPORTED = List.of(
            "runs, their logs and the daily report",
            "when jobs fired last and are due next: a job is due anew when it is started here",
            "registered executors and the access token: each group has a token of its own here",
            "passwords: users arrive disabled, until an administrator gives them one and enables them");

    private final Groups groups;
    private final Users users;
    private final JobStore store;
    private final Clock clock;
    private final Semaphore free = new Semaphore(1);

    XxlJobImports(Groups groups, Users users, JobStore store, Clock clock) {
        this.groups = groups;
        this.users = users;
        this.store = store;
        this.clock = clock;
    }

    /** Runs an import. Does not use one transaction for all of it. Never modifies existing objects. */
    public ImportReport run(XxlJobServer server, ImportOrder order) {
        if (!free.tryAcquire()) {
            throw OrthException.of(ErrorCode.CONFLICT, "another import is under way; wait until it is done");
        }
        try (XxlJobDatabase database = XxlJobDatabase.open(server, XxlJobDatabase.Patience.USUAL)) {
            return run(database, server, order);
        } finally {
            free.release();
        }
    }

    private ImportReport run(XxlJobDatabase database, XxlJobServer server, ImportOrder order) {
        List<Entry> entries = new ArrayList<>();
        List<String> leftOut = new ArrayList<>(NEVER_IMPORTED);
        Map<Integer, GroupTarget> targets =
                new GroupImport(groups, order.dryRun(), entries::add).take(database.groups());
        JobImport jobs =
                new JobImport(database, store, new JobMapper(order.zone(), clock), server.place(), order, targets);
        entries.addAll(jobs.take());
        if (jobs.withAuthor() > 0) {
            leftOut.add("the authors of %d jobs".formatted(jobs.withAuthor()));
        }
        if (database.has("xxl_job_user")) {
            entries.addAll(new UserImport(users).take(database.users(), targets, order.dryRun()));
        } else {
            leftOut.add("users: there is no table xxl_job_user that may be read");
        }
        if (!database.has("xxl_job_logglue")) {
            leftOut.add("earlier versions of sources: there is no table xxl_job_logglue that may be read");
        }
        return new ImportReport(order.dryRun(), server.place(), List.copyOf(entries), List.copyOf(leftOut));
    }
}
