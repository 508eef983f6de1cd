package io.orth.admin.registry;

/** All that is needed to talk to one executor instance; {@code online} is as of when this was read. */
public record Target(
        long executorId,
        String instanceId,
        int groupId,
        String address,
        String token,
        boolean online,
        ExecutorKind kind) {

    /** Whether it speaks only XXL-JOB's wire. */
    public boolean isForeign() {
        return kind == ExecutorKind.XXL_JOB;
    }

    /** Without the token: this text ends up in logs. */
    @Override
    public String toString() {
        return "executor %s at %s".formatted(instanceId, address);
    }
}
