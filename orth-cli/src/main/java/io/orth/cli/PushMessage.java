package io.orth.cli;

import io.orth.client.Lane;
import io.orth.client.Message;
import io.orth.client.Pushed;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Pushes a message to a queue. */
@Command(name = "push", description = "Push a message. The queue is created if it does not exist.")
final class PushMessage implements Runnable {

    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "the queue's name")
    String queue;

    @Parameters(
            index = "1",
            paramLabel = "PAYLOAD|@FILE|-",
            description = "the payload, @FILE to read it from a file, or - for standard input")
    String payload;

    @Option(names = "--delay", paramLabel = "PT..", description = "delay until the message is due, such as PT5M")
    Duration delay;

    @Option(names = "--lane", paramLabel = "LANE", description = "priority: critical, high, default or low")
    Lane lane;

    @Option(
            names = "--key",
            paramLabel = "UNIQUE",
            description = "unique key: nothing is added while another message of the queue holds it")
    String key;

    PushMessage(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        Message message = message();
        session.show(orth -> orth.queues().push(queue, message), this::print);
    }

    private Message message() {
        Message message = Message.of(session.input().text(payload));
        if (delay != null) {
            message = message.delay(delay);
        }
        if (lane != null) {
            message = message.lane(lane);
        }
        return key == null ? message : message.uniqueKey(key);
    }

    private void print(Pushed pushed) {
        session.out()
                .println(
                        pushed.duplicate()
                                ? "Message %d has this key already; nothing was added.".formatted(pushed.id())
                                : "Message %d was added.".formatted(pushed.id()));
    }
}
