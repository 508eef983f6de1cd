package io.orth.sample;

import io.orth.client.Lane;
import io.orth.client.Message;
import io.orth.client.OrthQueues;
import io.orth.executor.OrthJob;
import io.orth.executor.RunResult;
import io.orth.sample.MailWorkers.Letter;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Puts letters into the queue that {@link MailWorkers} works on. */
@Component
class NewsletterJobs {

    /** The parameter of the job, such as {@code {"subject": "Hello", "readers": ["ann@example.org"]}}. */
    record Newsletter(String subject, List<String> readers) {}

    private final ObjectProvider<OrthQueues> queues;

    /** There are queues to push to when the application has a token of the API. */
    NewsletterJobs(ObjectProvider<OrthQueues> queues) {
        this.queues = queues;
    }

    /** One letter for each reader, behind other mail; who is to get this one already does not get it twice. */
    @OrthJob("newsletter")
    RunResult send(Newsletter newsletter) {
        OrthQueues emails = queues.getIfAvailable();
        if (emails == null) {
            return RunResult.fail("set orth.client.token, for example by the environment variable ORTH_CLIENT_TOKEN");
        }
        emails.pushAll(
                "emails",
                newsletter.readers().stream()
                        .map(reader -> Message.of(new Letter(reader, newsletter.subject()))
                                .lane(Lane.LOW)
                                .uniqueKey("%s:%s".formatted(newsletter.subject(), reader)))
                        .toList());
        return RunResult.success(
                "%d letters are on their way".formatted(newsletter.readers().size()));
    }
}
