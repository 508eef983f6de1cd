package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A requested job definition; {@code handler} is null if the job runs its own source. */
public record JobSpec(
        String name,
        int groupId,
        String handler,
        String param,
        @JsonIgnore Schedule schedule,
        MisfirePolicy misfire,
        @JsonUnwrapped Execution execution,
        @JsonUnwrapped Routing routing,
        @JsonUnwrapped AfterRun after) {

    private static final int LONGEST_NAME = 200;
    public static final int LONGEST_PARAM = 65_536;

    public JobSpec {
        List<FieldError> errors = new ArrayList<>();
        checkName(errors, "name", name);
        if (!execution.isSource()) {
            checkName(errors, "handler", handler);
        } else if (handler != null) {
            errors.add(new FieldError("handler", "must be missing where glue has the source to run"));
        }
        checkParam(param).ifPresent(errors::add);
        if (!errors.isEmpty()) {
            throw OrthException.invalid(errors);
        }
        name = name.strip();
        handler = handler == null ? null : handler.strip();
    }

    /** Creates a spec without retries and children. */
    public JobSpec(
            String name,
            int groupId,
            String handler,
            String param,
            Schedule schedule,
            MisfirePolicy misfire,
            Execution execution,
            Routing routing) {
        this(name, groupId, handler, param, schedule, misfire, execution, routing, AfterRun.NOTHING);
    }

    /** Returns a copy with these follow-ups. */
    public JobSpec followedBy(AfterRun next) {
        return new JobSpec(name, groupId, handler, param, schedule, misfire, execution, routing, next);
    }

    private static void checkName(List<FieldError> errors, String field, String value) {
        if (value == null || value.isBlank()) {
            errors.add(new FieldError(field, "is missing"));
        } else if (value.length() > LONGEST_NAME) {
            errors.add(new FieldError(field, "must have at most %d characters".formatted(LONGEST_NAME)));
        } else if (value.chars().anyMatch(Character::isISOControl)) {
            errors.add(new FieldError(field, "must not contain control characters"));
        }
    }

    /** Checks a job parameter, whatever its origin. */
    public static Optional<FieldError> checkParam(String param) {
        if (param.length() > LONGEST_PARAM) {
            return Optional.of(new FieldError("param", "must have at most %d characters".formatted(LONGEST_PARAM)));
        }
        if (param.indexOf('\0') >= 0) {
            return Optional.of(new FieldError("param", "must not contain the character U+0000"));
        }
        return Optional.empty();
    }
}
