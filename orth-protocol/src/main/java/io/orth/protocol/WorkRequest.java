package io.orth.protocol;

import java.util.List;

/**
 * An executor reports what became of messages of a queue and asks for more, in one request. Results are recorded first; where there
 * is nothing to do, the answer waits.
 *
 * @param strand tells requests apart that an instance makes at once for a queue, from 0
 * @param claim made up by the executor, a new one for each request that was answered. A request that is repeated with the same one
 *     gets the same messages
 * @param turn rises with each claim of a strand. A request that is older than another that has been heard gets nothing: nobody listens
 *     to its answer any more
 * @param received the last turn in which messages arrived. What was given later went astray, and is given again; more than there are
 *     slots, perhaps
 * @param slots how many messages it could begin with at once; 0 where it only reports
 * @param held how many messages it has without a result, not counting those reported here
 * @param waitMillis how long the answer may wait for messages
 */
public record WorkRequest(
        String instanceId,
        String queue,
        int strand,
        String claim,
        long turn,
        long received,
        int slots,
        int held,
        long waitMillis,
        List<MessageResult> results)
        implements ToldMessage {

    public WorkRequest {
        results = List.copyOf(results);
    }

    public static WorkRequest from(JsonObject json) {
        return new WorkRequest(
                json.requiredText("instanceId"),
                json.requiredText("queue"),
                json.integer("strand", 0),
                json.requiredText("claim"),
                json.number("turn", 0),
                json.number("received", 0),
                json.integer("slots", 0),
                json.integer("held", 0),
                json.number("waitMillis", 0),
                json.objects("results").stream().map(MessageResult::from).toList());
    }

    @Override
    public void tell(FieldSink fields) {
        fields.put("instanceId", instanceId)
                .put("queue", queue)
                .put("strand", strand)
                .put("claim", claim)
                .put("turn", turn)
                .put("received", received)
                .put("slots", slots)
                .put("held", held)
                .put("waitMillis", waitMillis)
                .putMessages("results", results);
    }
}
