package io.orth.admin.triggering;

import io.orth.admin.registry.Target;
import org.springframework.stereotype.Component;

/** The clients for the two kinds of executors. */
@Component
record Gateways(ExecutorGateway ours, ForeignGateway foreign) {

    RunSender to(Target target) {
        return target.isForeign() ? foreign : ours;
    }
}
