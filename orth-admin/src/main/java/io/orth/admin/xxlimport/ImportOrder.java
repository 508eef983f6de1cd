package io.orth.admin.xxlimport;

import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.ZoneId;

/** How to import; {@code zone} is the one in which the foreign admin reads its cron expressions. */
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
