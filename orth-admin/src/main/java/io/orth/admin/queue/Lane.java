package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import java.util.Arrays;

/** Priority of a message. All due messages of a priority precede those of the next. */
public enum Lane {
    CRITICAL(0),
    HIGH(1),
    DEFAULT(2),
    LOW(3);

    /** The stored value. Lower values are more urgent. */
    private final int number;

    Lane(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** @param field name of the field, for the error message */
    public static Lane named(String field, String name) {
        return Arrays.stream(values())
                .filter(lane -> lane.name().equals(name))
                .findFirst()
                .orElseThrow(() -> OrthException.invalid(field, "must be one of " + Arrays.toString(values())));
    }

    static Lane of(int number) {
        return Arrays.stream(values())
                .filter(lane -> lane.number == number)
                .findFirst()
                .orElseThrow();
    }
}
