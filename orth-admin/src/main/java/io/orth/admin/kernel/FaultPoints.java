package io.orth.admin.kernel;

import java.util.List;
import java.util.ServiceLoader;

/** Named points at which a test may stop the process or throw. Without a {@link FaultInjector}, as in production, they do nothing. */
public final class FaultPoints {

    /** The runs of a due job are committed; none has been passed to the dispatcher. */
    public static final String SCHEDULE_AFTER_CLAIM = "schedule.after-claim";

    /** The dispatch intent is committed; nothing has been sent. */
    public static final String DISPATCH_AFTER_INTENT = "dispatch.after-intent";

    /** The executor has responded; the response is not recorded. */
    public static final String DISPATCH_AFTER_SEND = "dispatch.after-send";

    /** Transitions are about to be passed to a sink. */
    public static final String RELAY_BEFORE_EMIT = "relay.before-emit";

    /** A sink has accepted transitions; this is not recorded. */
    public static final String RELAY_AFTER_EMIT = "relay.after-emit";

    /** The relay's lease was taken over; nothing has been done under the new term. */
    public static final String RELAY_AFTER_TAKEOVER = "relay.after-takeover";

    /** Tasks are claimed; no executor has been notified. */
    public static final String PIPELINE_AFTER_CLAIM = "pipeline.after-claim";

    /** Messages from the outbox have been pushed; nothing is committed. */
    public static final String OUTBOX_BEFORE_COMMIT = "outbox.before-commit";

    /** A webhook has received an outbox item; this is not recorded. */
    public static final String OUTBOX_AFTER_SEND = "outbox.after-send";

    /** Some tasks of a stage have been created; nothing is committed. */
    public static final String PIPELINE_IN_FAN_OUT = "pipeline.in-fan-out";

    /** Messages from the inbox have been pushed to their queue; they may still be in the inbox, or the push is not committed. */
    public static final String INBOX_AFTER_PUSH = "inbox.after-push";

    /** Part of a bulk operation is done and its progress written; neither is committed. */
    public static final String OPERATION_BEFORE_COMMIT = "operation.before-commit";

    /** Part of a bulk operation is committed; the next part has not started. */
    public static final String OPERATION_AFTER_PART = "operation.after-part";

    private static final List<FaultInjector> INJECTORS =
            ServiceLoader.load(FaultInjector.class, FaultPoints.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private FaultPoints() {}

    public static void reach(String point) {
        for (FaultInjector injector : INJECTORS) {
            injector.reached(point);
        }
    }
}
