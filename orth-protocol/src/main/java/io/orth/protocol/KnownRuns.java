package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** What one executor instance knows of the asked log ids. Ids it has never seen are not listed. */
public record KnownRuns(String instanceId, List<Known> runs) implements WireMessage {

    public KnownRuns {
        runs = List.copyOf(runs);
    }

    /** How far a run has come on the executor. */
    public enum State {
        QUEUED,
        RUNNING,
        FINISHED
    }

    /**
     * One run the executor has seen.
     *
     * @param handleCode the result of a finished run, else 0
     * @param handleMsg what a finished run said; null if nothing
     */
    public record Known(long logId, State state, int handleCode, String handleMsg) implements WireMessage {

        /** A run without a result. */
        public Known(long logId, State state) {
            this(logId, state, Codes.NONE, null);
        }

        static Known from(JsonObject json) {
            String state = json.requiredText("state");
            try {
                return new Known(
                        json.requiredNumber("logId"),
                        State.valueOf(state),
                        json.integer("handleCode", Codes.NONE),
                        json.text("handleMsg"));
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
                    .toMap();
        }
    }

    public static KnownRuns from(JsonObject json) {
        return new KnownRuns(
                json.requiredText("instanceId"),
                json.objects("runs").stream().map(Known::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("instanceId", instanceId)
                .put("runs", runs.stream().map(Known::toJson).toList())
                .toMap();
    }
}
