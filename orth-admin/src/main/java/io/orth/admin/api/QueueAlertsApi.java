package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.queuealert.AlertRule;
import io.orth.admin.queuealert.QueueAlert;
import io.orth.admin.queuealert.QueueAlerts;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for alert rules of queues, and for alerts that fire or have fired. */
@RestController
@RequestMapping("/api/queue-alerts")
class QueueAlertsApi {

    private final QueueAlerts alerts;

    QueueAlertsApi(QueueAlerts alerts) {
        this.alerts = alerts;
    }

    /** Lists alerts, newest first. {@code firing} selects those that fire, or those that no longer do. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<QueueAlert> list(
            @RequestParam(required = false) String firing,
            @RequestParam(required = false) String queue,
            PageRequest page) {
        return Page.of(
                alerts.list(
                        firing == null ? null : Filters.flag("firing", firing),
                        Filters.text("queue", queue),
                        page.after().orElse(Long.MAX_VALUE),
                        page.rows()),
                page,
                QueueAlert::id);
    }

    @GetMapping("/rules")
    @Access(Role.VIEWER)
    Page<AlertRuleView> rules() {
        return new Page<>(alerts.rules().stream().map(AlertRuleView::of).toList(), null);
    }

    @PostMapping("/rules")
    @Access(Role.OPERATOR)
    ResponseEntity<AlertRuleView> create(@RequestBody AlertRuleBody body, HttpServletRequest request) {
        AlertRule rule = alerts.create(body.toSpec());
        AuditNote.about(request, "alert rule", rule.id(), rule.spec().name());
        return ResponseEntity.created(URI.create("/api/queue-alerts/rules/" + rule.id()))
                .body(AlertRuleView.of(rule));
    }

    @GetMapping("/rules/{id}")
    @Access(Role.VIEWER)
    AlertRuleView rule(@PathVariable String id) {
        return AlertRuleView.of(alerts.rule(Ids.parseInt("id", id)));
    }

    @PutMapping("/rules/{id}")
    @Access(Role.OPERATOR)
    AlertRuleView update(@PathVariable String id, @RequestBody AlertRuleBody body, HttpServletRequest request) {
        int ruleId = Ids.parseInt("id", id);
        AuditNote.about(request, "alert rule", ruleId, body.name());
        if (body.version() == null) {
            throw OrthException.invalid("version", "is missing: give the one that was loaded");
        }
        return AlertRuleView.of(alerts.update(ruleId, body.version(), body.toSpec()));
    }

    @DeleteMapping("/rules/{id}")
    @Access(Role.OPERATOR)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id, HttpServletRequest request) {
        int ruleId = Ids.parseInt("id", id);
        AuditNote.about(
                request, "alert rule", ruleId, alerts.rule(ruleId).spec().name());
        alerts.delete(ruleId);
    }
}
