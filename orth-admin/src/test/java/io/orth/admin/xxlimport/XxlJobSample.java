package io.orth.admin.xxlimport;

import io.orth.admin.xxlimport.XxlJobTables.Generation;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A small XXL-JOB installation in a MariaDB, for tests that are not Java. Prints the port once it is ready and ends when its input
 * does. The argument is the app name of its executor group.
 */
public final class XxlJobSample {

    private XxlJobSample() {}

    public static void main(String[] args) throws IOException {
        String app = args[0];
        try (MariaDbServer server = MariaDbServer.start()) {
            XxlJobTables.create(server, "xxl_job", Generation.V3_2)
                    .group(1, app, "Billing")
                    .job(1, 1, "Nightly", "schedule_type", "CRON", "schedule_conf", "0 0 3 * * ?", "trigger_status", 1)
                    .job(2, 1, "Clean up", "glue_type", "GLUE_SHELL", "glue_source", "echo clean", "child_jobid", "1")
                    .job(3, 1, "Told", "alarm_email", "ops@example.org")
                    .job(4, 1, "Broken", "schedule_type", "CRON", "schedule_conf", "every day")
                    .user(1, app + "-user", 0, "1");
            System.out.println("port " + server.port());
            System.out.flush();
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
