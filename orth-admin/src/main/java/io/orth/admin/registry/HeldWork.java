package io.orth.admin.registry;

import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import java.time.Duration;
import java.util.List;

/**
 * Kind of work that executors hold while its result is awaited. The feature that owns the work selects what to ask about and records the
 * findings; {@link LostWorkDetector} asks the executors. Each recording method is a separate step and can be repeated.
 */
public interface HeldWork<T extends HeldWork.Held> {

    /** Piece of work, identified by the log id under which its executor knows it. */
    interface Held {

        long executorId();

        long logId();

        /** Returns how long the result had been awaited when the work was read. */
        Duration age();
    }

    /** Reason why work of an online executor is lost. */
    enum Loss {
        NOT_HELD("does not have"),
        NOT_ASKED("cannot be asked about");

        private final String what;

        Loss(String what) {
            this.what = what;
        }

        /** Describes the loss of one piece of work; the executor is the subject. */
        public String words() {
            return "its executor %s it".formatted(what);
        }

        /** Describes the loss of several pieces of work; follows the name of their executor. */
        public String wordsOfMany() {
            return "%s them".formatted(what);
        }
    }

    /** Work that its executor has finished, with the result that the executor remembers. */
    record Finished<T>(T work, Known result) {}

    /** Returns the name in logs, in the plural. */
    String name();

    /**
     * Returns the next part of the work that online Orth executors have held for longer than {@code age}, if they have sent a heartbeat
     * since they received it. Starts over after the last part. Reads a bounded number of rows.
     */
    List<T> next(Duration age);

    /**
     * Returns how many consecutive responses of this kind are needed for a decision; {@code known} is null if the executor does not know
     * the work.
     */
    int responsesNeeded(KnownRuns response, Known known);

    /** Records these results unless the work has finished in the meantime. Returns how many were recorded. */
    int finish(Target executor, List<Finished<T>> finished);

    /** Declares this work lost unless it has finished in the meantime. Returns how much was lost. */
    int lose(Target executor, List<T> lost, Loss why);
}
