package io.orth.admin.job;

import io.orth.protocol.BlockStrategy;
import io.orth.protocol.GlueType;

/** Jobs with defaults for all that a test does not mention. */
public final class JobSpecs {

    /** A handler, one run at a time on each executor, as long as it takes. */
    public static final Execution PLAIN = new Execution(BlockStrategy.SERIAL, 1, 0, GlueType.BEAN);

    private JobSpecs() {}

    /** A job that names a handler, run plainly. */
    public static JobSpec of(
            String name, int groupId, String handler, String param, Schedule schedule, MisfirePolicy misfire) {
        return of(name, groupId, handler, param, schedule, misfire, PLAIN);
    }

    /** A job whose runs may go to any executor of the group, and that nothing follows. */
    public static JobSpec of(
            String name,
            int groupId,
            String handler,
            String param,
            Schedule schedule,
            MisfirePolicy misfire,
            Execution execution) {
        return new JobSpec(
                name, groupId, handler, param, schedule, misfire, execution, Routing.DEFAULT, AfterRun.NOTHING);
    }
}
