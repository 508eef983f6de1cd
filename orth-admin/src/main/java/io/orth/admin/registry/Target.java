package io.orth.admin.registry;

/** Connection details of one executor instance. {@code online} is as of when this was read. */
public record Target(
        long executorId,
        String instanceId,
        int groupId,
        String address,
        String token,
        boolean online,
        ExecutorKind kind) {

    /** Returns whether this is an XXL-JOB executor. */
    public boolean isForeign() {
        return kind == ExecutorKind.XXL_JOB;
    }

    /** Omits the token, because this text appears in logs. */
    @Override
    public String toString() {
        return "executor %s at %s".formatted(instanceId, address);
    }
}
