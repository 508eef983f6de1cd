package io.orth.admin.declaration;

/** The executor instance that declares, authenticated by its group's token; {@code address} is its network address. */
public record Declarer(int groupId, String groupName, String instanceId, String address, String traceId) {

    /** As the audit names it. */
    String inAudit() {
        return "%s/%s".formatted(groupName, instanceId);
    }
}
