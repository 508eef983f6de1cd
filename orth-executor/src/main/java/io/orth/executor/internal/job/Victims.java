package io.orth.executor.internal.job;

import java.util.List;

/** The runs to be ended by a kill or a cover: the waiting ones and those that have a slot. */
record Victims(boolean laneWasThere, List<Run> waiting, List<Run> running) {

    static final Victims NONE = new Victims(false, List.of(), List.of());
}
