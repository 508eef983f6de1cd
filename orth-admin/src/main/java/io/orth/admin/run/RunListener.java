package io.orth.admin.run;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.TransitionListener;
import java.util.List;

/** Does what follows from status changes of runs. */
public interface RunListener extends TransitionListener {

    @Override
    default EntityKind entity() {
        return EntityKind.RUN;
    }

    /** Of the runs that changed. */
    static List<Long> ids(List<StateChange> changes) {
        return changes.stream().map(change -> change.row().id()).toList();
    }
}
