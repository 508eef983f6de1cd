package io.orth.protocol;

import java.util.List;

/**
 * A poll for messages of a queue that also reports results, in one request. Results are recorded first; if no message is available, the
 * response waits.
 *
 * @param strand number of the poll among an instance's concurrent polls of a queue, from 0
 * @param claim chosen by the executor, a new one after each response. A repeated request with the same claim gets the same messages
 * @param turn increases with each claim of a strand. A request older than one already received gets no messages, because its response is
 *     no longer read
 * @param received the last turn in which messages arrived. Messages of later turns were lost and are sent again, possibly more than
 *     {@code slots}
 * @param slots number of messages the executor could start immediately; 0 if it only reports
 * @param held number of messages the executor has without a result, excluding those reported here
 * @param waitMillis maximum time the response may wait for messages
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
