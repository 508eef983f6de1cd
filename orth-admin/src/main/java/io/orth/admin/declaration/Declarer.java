package io.orth.admin.declaration;

/** The declaring executor instance, authenticated by its group's token; {@code address} is its network address. */
public record Declarer(int groupId, String groupName, String instanceId, String address, String traceId) {

    /** Returns its name in the audit log. */
    String inAudit() {
        return "%s/%s".formatted(groupName, instanceId);
    }
}
