package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.SystemLog;
import io.orth.admin.xxlimport.ImportOrder;
import io.orth.admin.xxlimport.ImportReport;
import io.orth.admin.xxlimport.ImportReport.Kind;
import io.orth.admin.xxlimport.ImportReport.Outcome;
import io.orth.admin.xxlimport.XxlJobImports;
import io.orth.admin.xxlimport.XxlJobServer;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that import the data of an XXL-JOB database. */
@RestController
@RequestMapping("/api/xxl-job-imports")
class XxlJobImportsApi {

    /**
     * Location of the database: {@code host}, {@code port} and {@code database}, or a {@code url} with all three.
     *
     * @param port 3306 if missing
     * @param tls whether the connection must be encrypted with a trusted server certificate; false if missing
     * @param zone time zone in which the XXL-JOB admin evaluates its cron expressions
     */
    record Body(
            String url,
            String host,
            Integer port,
            String database,
            String user,
            String password,
            Boolean tls,
            String zone) {

        XxlJobServer toServer() {
            boolean encrypted = tls != null && tls;
            if (url == null) {
                return new XxlJobServer(
                        host, port == null ? XxlJobServer.USUAL_PORT : port, database, user, password, encrypted);
            }
            if (host != null || port != null || database != null) {
                throw OrthException.invalid("url", "must be missing where host, port or database is given");
            }
            return XxlJobServer.ofUrl(url, user, password, encrypted);
        }

        /** Omits the password. */
        @Override
        public String toString() {
            return "an XXL-JOB database";
        }
    }

    record Counts(int created, int exists, int failed) {

        static Counts of(ImportReport report, Kind kind) {
            return new Counts(
                    report.count(kind, Outcome.CREATED),
                    report.count(kind, Outcome.EXISTS),
                    report.count(kind, Outcome.FAILED));
        }
    }

    record ReportView(@JsonUnwrapped ImportReport report, Counts groups, Counts jobs, Counts users) {

        static ReportView of(ImportReport report) {
            return new ReportView(
                    report, Counts.of(report, Kind.GROUP), Counts.of(report, Kind.JOB), Counts.of(report, Kind.USER));
        }
    }

    private final XxlJobImports imports;
    private final SystemLog log;

    XxlJobImportsApi(XxlJobImports imports, SystemLog log) {
        this.imports = imports;
        this.log = log;
    }

    /** Reads all data and reports what an import would do, without storing anything. */
    @PostMapping("/preview")
    @Access(Role.ADMIN)
    ReportView preview(@RequestBody Body body, ApiCall call) {
        return run(body, true, call);
    }

    /**
     * Imports the data. Existing items stay unchanged. Jobs arrive stopped, except those that only other jobs trigger; users arrive
     * disabled.
     */
    @PostMapping
    @Access(Role.ADMIN)
    ReportView create(@RequestBody Body body, ApiCall call) {
        return run(body, false, call);
    }

    private ReportView run(Body body, boolean dryRun, ApiCall call) {
        XxlJobServer server = body.toServer();
        call.about("XXL-JOB database", server.place(), dryRun ? "dry run" : null);
        ImportReport report =
                imports.run(server, new ImportOrder(body.zone(), call.caller().name(), dryRun));
        call.about("XXL-JOB database", server.place(), report.inWords());
        if (!dryRun) {
            log.info("%s imported from XXL-JOB at %s: %s"
                    .formatted(call.caller().name(), server.place(), report.inWords()));
        }
        return ReportView.of(report);
    }
}
