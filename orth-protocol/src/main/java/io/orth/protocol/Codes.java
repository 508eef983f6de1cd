package io.orth.protocol;

/** The codes of replies ({@code code}), of triggers ({@code triggerCode}) and of results ({@code handleCode}). */
public final class Codes {

    /** Nothing known yet. */
    public static final int NONE = 0;

    public static final int SUCCESS = 200;
    public static final int FAIL = 500;
    public static final int TIMEOUT = 502;

    /** Of a trigger: the job is busy on this executor and its block strategy is DISCARD, so the run is skipped. */
    public static final int BUSY = 409;

    /** Of a trigger: not here and not now, as the executor is stopping; another executor, or later, may do. */
    public static final int UNAVAILABLE = 503;

    private Codes() {}
}
