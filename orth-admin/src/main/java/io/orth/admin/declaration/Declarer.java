package io.orth.admin.declaration;

/**
 * The executor instance that declares, which has shown its group's token.
 *
 * @param address from where it spoke
 */
public record Declarer(int groupId, String groupName, String instanceId, String address, String traceId) {

    /** As the audit names it. */
    String inAudit() {
        return "%s/%s".formatted(groupName, instanceId);
    }
}
