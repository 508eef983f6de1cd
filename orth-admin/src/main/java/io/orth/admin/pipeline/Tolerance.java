package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonValue;
import io.orth.admin.kernel.OrthException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maximum number of failed tasks of a stage before its run fails: {@code ALL} tasks must succeed, a number or a percentage may fail, or any
 * number may fail ({@code ALWAYS}).
 */
public record Tolerance(@JsonValue String text) {

    private static final String ALWAYS = "ALWAYS";
    private static final Pattern FORM = Pattern.compile("ALL|ALWAYS|([0-9]{1,9})(%?)");

    public static final Tolerance ALL = new Tolerance("ALL");

    public Tolerance {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || ("%".equals(form.group(2)) && Integer.parseInt(form.group(1)) > 100)) {
            throw OrthException.invalid("tolerance", "must be ALL, ALWAYS, a number or a percentage such as 10%");
        }
    }

    /** Returns whether the stage succeeds with {@code failed} of {@code of} tasks failed. */
    public boolean bears(long failed, long of) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || text.equals(ALWAYS)) {
            return true;
        }
        if (form.group(1) == null) {
            return failed == 0;
        }
        long most = Long.parseLong(form.group(1));
        return form.group(2).isEmpty() ? failed <= most : failed * 100 <= most * of;
    }
}
