package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * State of the requested log ids on one executor instance. Unknown or forgotten ids are not listed.
 *
 * @param unsentResults number of results on the instance that no admin has confirmed; results of unlisted ids may be among them
 */
public record KnownRuns(String instanceId, List<Known> runs, long unsentResults) implements WireMessage {

    public KnownRuns {
        runs = List.copyOf(runs);
    }

    /** Creates a response of an instance whose results are all confirmed. */
    public KnownRuns(String instanceId, List<Known> runs) {
        this(instanceId, runs, 0);
    }

    /** Progress of a run on the executor. */
    public enum State {
        QUEUED,
        RUNNING,
        FINISHED
    }

    /**
     * A run, or attempt at a message, that the executor has seen.
     *
     * @param handleCode result of a finished run, otherwise 0; also 0 for a message that was released without being started
     * @param handleMsg message of a finished run; null if it has none
     * @param unsent for a finished attempt at a message: whether an admin has yet to confirm its result
     * @param nonRetryable whether no further attempt can fix the failure
     * @param retryAfterMillis delay requested by the handler before the next attempt; null if the backoff decides
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

        /** Creates a result that leaves the retry decision to the job or the queue. */
        public Known(long logId, State state, int handleCode, String handleMsg) {
            this(logId, state, handleCode, handleMsg, false, false, null);
        }

        /** Creates a run without a result. */
        public Known(long logId, State state) {
            this(logId, state, Codes.NONE, null);
        }

        /** Returns a copy whose result is still to be confirmed. */
        public Known asUnsent() {
            return new Known(logId, state, handleCode, handleMsg, true, nonRetryable, retryAfterMillis);
        }

        /** Returns a copy without the message. */
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
