package io.orth.executor.internal.callback;

import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.CallbackItem;
import java.util.ArrayList;
import java.util.List;

/**
 * Delivers what can be delivered of results that an admin refused together: halves are sent until the bad ones are alone. If
 * several single results are refused before anything is accepted, the admin refuses everything, and it stops.
 */
final class Bisection {

    /** Sends results to the admins. */
    @FunctionalInterface
    interface Send {
        Outcome send(List<CallbackItem> items) throws InterruptedException;
    }

    private static final int MAX_REQUESTS = 200;
    private static final int HOPELESS_AFTER = 4;

    private final Send send;
    private final List<CallbackItem> undelivered = new ArrayList<>();
    private int requests;
    private int refusedAlone;
    private boolean accepted;
    private boolean hopeless;

    private Bisection(Send send) {
        this.send = send;
    }

    /** Returns what remains of {@code items}, which were refused together. */
    static List<CallbackItem> deliver(List<CallbackItem> items, Send send) throws InterruptedException {
        Bisection bisection = new Bisection(send);
        bisection.halve(items);
        return bisection.undelivered;
    }

    private void halve(List<CallbackItem> refused) throws InterruptedException {
        if (refused.size() == 1 || hopeless) {
            refusedAlone += refused.size();
            hopeless |= !accepted && refusedAlone >= HOPELESS_AFTER;
            undelivered.addAll(refused);
            return;
        }
        int middle = refused.size() / 2;
        deliver(refused.subList(0, middle));
        deliver(refused.subList(middle, refused.size()));
    }

    private void deliver(List<CallbackItem> items) throws InterruptedException {
        hopeless |= requests++ >= MAX_REQUESTS;
        if (hopeless) {
            undelivered.addAll(items);
            return;
        }
        Outcome outcome = send.send(items);
        if (outcome instanceof Outcome.Accepted) {
            accepted = true;
        } else if (outcome instanceof Outcome.Refused) {
            halve(items);
        } else {
            hopeless = true;
            undelivered.addAll(items);
        }
    }
}
