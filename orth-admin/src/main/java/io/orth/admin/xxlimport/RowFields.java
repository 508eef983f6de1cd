package io.orth.admin.xxlimport;

import io.orth.admin.kernel.Sha256;
import io.orth.admin.xxlimport.ImportReport.Drift;
import io.orth.admin.xxlimport.XxlJobRows.Outline;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Column values of a job's XXL-JOB row as text, for later comparison. Long texts and sources are stored as length and hash. */
final class RowFields {

    private static final int MAX_LENGTH = 300;
    private static final int SHOWN_OF_LONG_TEXT = 100;
    private static final int HASH_DIGITS = 16;

    private RowFields() {}

    /** {@code source} is empty for a job that names a handler. */
    static Map<String, String> of(Outline outline, XxlJobRows.Job row, String appName, String source) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("job_desc", bounded(outline.name()));
        fields.put("app_name", bounded(appName));
        fields.put("schedule_type", bounded(row.schedule().type()));
        fields.put("schedule_conf", bounded(row.schedule().conf()));
        fields.put("misfire_strategy", bounded(row.schedule().misfire()));
        fields.put("executor_route_strategy", bounded(row.how().route()));
        fields.put("executor_block_strategy", bounded(row.how().block()));
        fields.put("executor_timeout", Integer.toString(row.how().timeoutSeconds()));
        fields.put("executor_fail_retry_count", Integer.toString(row.how().retries()));
        fields.put("glue_type", bounded(row.what().glueType()));
        fields.put("executor_handler", bounded(row.what().handler()));
        fields.put("executor_param", bounded(row.what().param()));
        fields.put("glue_source", source.isEmpty() ? "" : hashed(source));
        fields.put("child_jobid", bounded(outline.children()));
        fields.put("trigger_status", row.about().running() ? "running" : "stopped");
        return fields;
    }

    /** Returns the changed fields, in the order of {@code current}. */
    static List<Drift> drift(Map<String, String> imported, Map<String, String> current) {
        List<Drift> drift = new ArrayList<>();
        current.forEach((field, now) -> {
            String before = imported.get(field);
            if (before != null && !before.equals(now)) {
                drift.add(new Drift(field, before, now));
            }
        });
        return drift;
    }

    /** Replaces U+0000, which PostgreSQL's JSON cannot store. */
    private static String bounded(String text) {
        String storable = text.replace('\0', '\uFFFD');
        return storable.length() <= MAX_LENGTH
                ? storable
                : "%s… (%s)".formatted(Text.cut(storable, SHOWN_OF_LONG_TEXT), hashed(text));
    }

    private static String hashed(String text) {
        return "%d characters, SHA-256 %s"
                .formatted(
                        text.length(), HexFormat.of().formatHex(Sha256.of(text)).substring(0, HASH_DIGITS));
    }
}
