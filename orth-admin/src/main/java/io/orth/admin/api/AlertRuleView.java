package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.queuealert.AlertRule;
import java.time.Instant;

/** Alert rule in a response; fields that do not belong to its kind are null. */
record AlertRuleView(int id, @JsonUnwrapped AlertRuleBody rule, Instant createdAt, Instant updatedAt) {

    static AlertRuleView of(AlertRule rule) {
        return new AlertRuleView(rule.id(), AlertRuleBody.of(rule), rule.createdAt(), rule.updatedAt());
    }
}
