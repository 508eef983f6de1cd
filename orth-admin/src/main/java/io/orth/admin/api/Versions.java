package io.orth.admin.api;

import io.orth.admin.job.Job;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;

/** Version of a job that a caller has loaded, sent in the header {@code If-Match} or in the body. */
final class Versions {

    private static final Pattern TAG = Pattern.compile("\"([0-9]{1,9})\"");

    private Versions() {}

    static String tag(Job job) {
        return "\"%d\"".formatted(job.version());
    }

    /**
     * Returns the version that the caller has loaded. Throws if it is missing, or if the header names another version than the current one.
     */
    static int seen(Job job, String ifMatch, Integer inBody) {
        if (ifMatch == null) {
            if (inBody == null) {
                throw OrthException.invalid(
                        "version", "is missing: give the one that was loaded, here or as the header If-Match");
            }
            return inBody;
        }
        int version = parse(ifMatch);
        if (inBody != null && inBody != version) {
            throw OrthException.invalid("version", "is not the one that the header If-Match names");
        }
        if (version != job.version()) {
            throw OrthException.of(
                    ErrorCode.PRECONDITION_FAILED,
                    "job %d has version %d by now; load it again".formatted(job.id(), job.version()));
        }
        return version;
    }

    private static int parse(String ifMatch) {
        Matcher tag = TAG.matcher(ifMatch.strip());
        if (!tag.matches()) {
            throw OrthException.invalid(HttpHeaders.IF_MATCH, "must be the ETag of a job, such as \"3\"");
        }
        return Integer.parseInt(tag.group(1));
    }
}
