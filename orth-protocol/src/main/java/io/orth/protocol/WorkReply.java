package io.orth.protocol;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An admin's response to a {@link WorkRequest}, sent after the results are committed. The scope and the options of a pipeline run, which
 * may be large, are included once for all messages that carry tasks of the run.
 *
 * @param refused messages whose results did not count, because they were reassigned or are finished. The executor drops these messages
 */
public record WorkReply(List<Long> refused, List<ClaimedMessage> messages) implements ToldMessage {

    /** The common data of all tasks of one run. */
    private record Run(long rootJobId, String scope, String options) implements ToldMessage {

        static Run from(JsonObject json) {
            return new Run(json.requiredNumber("rootJobId"), json.text("scope"), json.text("options"));
        }

        @Override
        public void tell(FieldSink fields) {
            fields.put("rootJobId", rootJobId).put("scope", scope).put("options", options);
        }
    }

    public WorkReply {
        refused = List.copyOf(refused);
        messages = List.copyOf(messages);
    }

    public static WorkReply from(JsonObject json) {
        Map<Long, Run> runs = new HashMap<>();
        json.objects("runs").stream().map(Run::from).forEach(run -> runs.put(run.rootJobId(), run));
        return new WorkReply(
                json.numbers("refused"),
                json.objects("messages").stream()
                        .map(ClaimedMessage::from)
                        .map(message -> withRun(message, runs))
                        .toList());
    }

    private static ClaimedMessage withRun(ClaimedMessage message, Map<Long, Run> runs) {
        Run run = message.task() == null ? null : runs.get(message.task().rootJobId());
        return run == null ? message : message.with(message.task().of(run.scope(), run.options()));
    }

    private Collection<Run> runs() {
        Map<Long, Run> runs = new LinkedHashMap<>();
        for (ClaimedMessage message : messages) {
            ClaimedTask task = message.task();
            if (task != null && !runs.containsKey(task.rootJobId())) {
                runs.put(task.rootJobId(), new Run(task.rootJobId(), task.scope(), task.options()));
            }
        }
        return runs.values();
    }

    @Override
    public void tell(FieldSink fields) {
        fields.putNumbers("refused", refused).putMessages("messages", messages);
        Collection<Run> runs = runs();
        if (!runs.isEmpty()) {
            fields.putMessages("runs", runs);
        }
    }
}
