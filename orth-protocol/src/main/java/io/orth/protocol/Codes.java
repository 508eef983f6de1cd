package io.orth.protocol;

/** The codes of replies ({@code code}), triggers ({@code triggerCode}) and results ({@code handleCode}). */
public final class Codes {

    /** Not known yet. */
    public static final int NONE = 0;

    public static final int SUCCESS = 200;
    public static final int FAIL = 500;
    public static final int TIMEOUT = 502;

    /** Trigger code: the job is busy on this executor and its block strategy is DISCARD, so the run is skipped. */
    public static final int BUSY = 409;

    /** Trigger code: the executor is stopping; another executor, or a later attempt, may accept the run. */
    public static final int UNAVAILABLE = 503;

    private Codes() {}
}
