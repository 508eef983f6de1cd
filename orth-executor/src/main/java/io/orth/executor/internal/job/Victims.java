package io.orth.executor.internal.job;

import java.util.List;

/** The runs that are to be ended because of a kill or a cover: those that had not begun, and those that had a slot. */
record Victims(boolean laneWasThere, List<Run> waiting, List<Run> running) {

    static final Victims NONE = new Victims(false, List.of(), List.of());
}
