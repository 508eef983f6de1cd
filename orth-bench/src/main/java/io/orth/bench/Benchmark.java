package io.orth.bench;

/** Something to measure. */
public interface Benchmark {

    /** What the numbers depend on besides machine and versions: sizes, warm-up, and as {@code repeats} how many rounds there are. */
    void describe(Findings findings);

    /** Where there are several rounds, the median counts and all are listed. */
    void measure(Findings findings) throws Exception;
}
