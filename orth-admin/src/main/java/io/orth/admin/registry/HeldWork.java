package io.orth.admin.registry;

import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import java.time.Duration;
import java.util.List;

/**
 * A kind of work that executors hold while its result is awaited. The feature that owns it says which work to ask about and records
 * the findings; {@link LostWorkDetector} does the asking. Each method that records is a step of its own and may be repeated.
 */
public interface HeldWork<T extends HeldWork.Held> {

    /** One piece of work, by the log id that its executor knows it by. */
    interface Held {

        long executorId();

        long logId();

        /** How long its result had been awaited when it was read. */
        Duration age();
    }

    /** Why work of an executor that is online is lost. */
    enum Loss {
        NOT_HELD("does not have"),
        NOT_ASKED("cannot be asked about");

        private final String what;

        Loss(String what) {
            this.what = what;
        }

        /** Of one piece of work: said of its executor. */
        public String words() {
            return "its executor %s it".formatted(what);
        }

        /** Of several pieces, after who has them. */
        public String wordsOfMany() {
            return "%s them".formatted(what);
        }
    }

    /** Work that its executor has finished, with the result that the executor remembers. */
    record Finished<T>(T work, Known result) {}

    /** What it is called in logs, in the plural. */
    String name();

    /**
     * The next part of the work held for longer than {@code age} by executors of Orth's own kind that are online and have sent a
     * heartbeat since they got it. Starts over after the last part. Reads a bounded number of rows.
     */
    List<T> next(Duration age);

    /** How many responses of this kind in a row decide; {@code known} is null if the executor does not know the work. */
    int responsesNeeded(KnownRuns response, Known known);

    /** Records these results unless the work is finished by now. Returns how many counted. */
    int finish(Target executor, List<Finished<T>> finished);

    /** Declares this work lost unless it is finished by now. Returns how much was lost. */
    int lose(Target executor, List<T> lost, Loss why);
}
