package io.orth.admin.triggering;

import io.orth.admin.registry.Target;

/** The ways to the two kinds of executors. */
record Gateways(ExecutorGateway ours, ForeignGateway foreign) {

    RunSender to(Target target) {
        return target.isForeign() ? foreign : ours;
    }
}
