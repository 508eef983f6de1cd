package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * What one executor instance knows of the asked log ids. Ids it has never seen, or has forgotten, are not listed.
 *
 * @param unsentResults how many results of runs the instance has that no admin has confirmed; a result of an id that is not
 *     listed may be among them
 */
public record KnownRuns(String instanceId, List<Known> runs, long unsentResults) implements WireMessage {

    public KnownRuns {
        runs = List.copyOf(runs);
    }

    /** Of an instance whose results are all confirmed. */
    public KnownRuns(String instanceId, List<Known> runs) {
        this(instanceId, runs, 0);
    }

    /** How far a run has come on the executor. */
    public enum State {
        QUEUED,
        RUNNING,
        FINISHED
    }

    /**
     * One run, or attempt at a message, that the executor has seen.
     *
     * @param handleCode the result of a finished run, else 0; also 0 of a message that was released without being started
     * @param handleMsg what a finished run said; null if nothing
     * @param unsent of a finished attempt at a message: whether its result is still to be confirmed by an admin
     * @param nonRetryable whether a failure is one that no further attempt can fix
     * @param retryAfterMillis how long the handler wants the next attempt to wait; null where the backoff decides
     */
    public record Known(
            long logId,
            State state,
            int handleCode,
            String handleMsg,
            boolean unsent,
            boolean nonRetryable,
            Long retryAfterMillis)
            implements WireMessage {

        /** One that leaves it to the job or the queue what follows. */
        public Known(long logId, State state, int handleCode, String handleMsg) {
            this(logId, state, handleCode, handleMsg, false, false, null);
        }

        /** A run without a result. */
        public Known(long logId, State state) {
            this(logId, state, Codes.NONE, null);
        }

        /** The same with a result that is still to be confirmed. */
        public Known asUnsent() {
            return new Known(logId, state, handleCode, handleMsg, true, nonRetryable, retryAfterMillis);
        }

        /** The same without what it said. */
        public Known withoutMessage() {
            return new Known(logId, state, handleCode, null, unsent, nonRetryable, retryAfterMillis);
        }

        static Known from(JsonObject json) {
            String state = json.requiredText("state");
            try {
                return new Known(
                        json.requiredNumber("logId"),
                        State.valueOf(state),
                        json.integer("handleCode", Codes.NONE),
                        json.text("handleMsg"),
                        json.flag("unsent"),
                        json.flag("nonRetryable"),
                        json.optionalNumber("retryAfterMillis").orElse(null));
            } catch (IllegalArgumentException e) {
                throw new WireFormatException("'state' is unknown: " + state, e);
            }
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("logId", logId)
                    .put("state", state.name())
                    .put("handleCode", handleCode == Codes.NONE ? null : handleCode)
                    .put("handleMsg", handleMsg)
                    .put("unsent", unsent ? true : null)
                    .put("nonRetryable", nonRetryable ? true : null)
                    .put("retryAfterMillis", retryAfterMillis)
                    .toMap();
        }
    }

    public static KnownRuns from(JsonObject json) {
        return new KnownRuns(
                json.requiredText("instanceId"),
                json.objects("runs").stream().map(Known::from).toList(),
                json.number("unsentResults", 0));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("instanceId", instanceId)
                .put("runs", runs.stream().map(Known::toJson).toList())
                .put("unsentResults", unsentResults == 0 ? null : unsentResults)
                .toMap();
    }
}
