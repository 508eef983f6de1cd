package io.orth.bench;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The same, measured several times. */
public final class Rounds {

    private Rounds() {}

    /** The one in the middle; the upper one of two. */
    public static <T> T median(List<T> rounds, ToDoubleFunction<T> by) {
        return rounds.stream().sorted(Comparator.comparingDouble(by)).toList().get(rounds.size() / 2);
    }
}
