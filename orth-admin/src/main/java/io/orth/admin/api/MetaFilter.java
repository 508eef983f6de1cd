package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.TreeMap;

/** Query parameters such as {@code meta.language=en}: each requires that results have this key and value in their meta. */
final class MetaFilter {

    /** Name under which these parameters are listed. */
    static final String NAME = "meta.<key>";

    private static final String PREFIX = "meta.";

    /** Marks calls that can filter by meta. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Supported {}

    private MetaFilter() {}

    static boolean isName(String parameter) {
        return parameter.startsWith(PREFIX) && parameter.length() > PREFIX.length();
    }

    /** Returns the required values by key; empty if there are none. */
    static Map<String, String> of(HttpServletRequest request) {
        Map<String, String> meta = new TreeMap<>();
        request.getParameterMap().forEach((parameter, values) -> {
            if (isName(parameter)) {
                if (values.length > 1) {
                    throw OrthException.invalid(
                            parameter, "must be given once, got %d values".formatted(values.length));
                }
                meta.put(parameter.substring(PREFIX.length()), values[0]);
            }
        });
        return meta;
    }
}
