package io.orth.admin.run;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.TransitionListener;
import java.util.List;

/** Reacts to status changes of runs. */
public interface RunListener extends TransitionListener {

    @Override
    default EntityKind entity() {
        return EntityKind.RUN;
    }

    /** Returns the ids of the changed runs. */
    static List<Long> ids(List<StateChange> changes) {
        return changes.stream().map(change -> change.row().id()).toList();
    }
}
