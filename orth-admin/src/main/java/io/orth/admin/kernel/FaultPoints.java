package io.orth.admin.kernel;

import java.util.List;
import java.util.ServiceLoader;

/** Named moments at which a test may stop the process or throw. Inert in production: there is no injector to call. */
public final class FaultPoints {

    /** A due job's runs are committed, none is handed to the dispatcher. */
    public static final String SCHEDULE_AFTER_CLAIM = "schedule.after-claim";

    /** The intent to send is committed, nothing is sent. */
    public static final String DISPATCH_AFTER_INTENT = "dispatch.after-intent";

    /** The executor has answered, its answer is not recorded. */
    public static final String DISPATCH_AFTER_SEND = "dispatch.after-send";

    /** A sink is about to get transitions. */
    public static final String RELAY_BEFORE_EMIT = "relay.before-emit";

    /** A sink has taken transitions, which is not recorded. */
    public static final String RELAY_AFTER_EMIT = "relay.after-emit";

    /** The relay's lease was taken over, nothing has been done under it. */
    public static final String RELAY_AFTER_TAKEOVER = "relay.after-takeover";

    /** Tasks are claimed, and nobody has been told to begin with them. */
    public static final String PIPELINE_AFTER_CLAIM = "pipeline.after-claim";

    /** Messages were pushed that the outbox promised; neither is committed. */
    public static final String OUTBOX_BEFORE_COMMIT = "outbox.before-commit";

    /** A webhook was told of what the outbox promised, which is not recorded. */
    public static final String OUTBOX_AFTER_SEND = "outbox.after-send";

    /** A part of a stage's tasks was made, and is not committed. */
    public static final String PIPELINE_IN_FAN_OUT = "pipeline.in-fan-out";

    /** Messages of the inbox are in their queue, which is not committed, or they are still in the inbox. */
    public static final String INBOX_AFTER_PUSH = "inbox.after-push";

    /** A part of an operation is done and how far it came is written, neither is committed. */
    public static final String OPERATION_BEFORE_COMMIT = "operation.before-commit";

    /** A part of an operation is committed, the next is not begun. */
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
