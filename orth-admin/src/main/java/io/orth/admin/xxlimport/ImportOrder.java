package io.orth.admin.xxlimport;

import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.ZoneId;

/** Options of an import; {@code zone} is the time zone in which the XXL-JOB admin evaluates its cron expressions. */
public record ImportOrder(String zone, String author, boolean dryRun) {

    public ImportOrder {
        if (zone == null || zone.isBlank()) {
            throw OrthException.invalid("zone", "is missing: the time zone of the XXL-JOB admin, like Asia/Shanghai");
        }
        try {
            zone = ZoneId.of(zone.strip()).getId();
        } catch (DateTimeException e) {
            throw OrthException.invalid("zone", "is not a time zone");
        }
    }
}
