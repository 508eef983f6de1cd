package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import java.util.Arrays;

/** How urgent a message is. All messages of a lane that are due come before those of the next. */
public enum Lane {
    CRITICAL(0),
    HIGH(1),
    DEFAULT(2),
    LOW(3);

    /** As it is kept: the lower, the more urgent. */
    private final int number;

    Lane(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** @param field what has the name, for the message */
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
