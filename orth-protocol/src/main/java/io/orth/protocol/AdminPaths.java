package io.orth.protocol;

/** Paths of the admin's HTTP interface for executors, relative to its base address. */
public final class AdminPaths {

    public static final String REGISTRY = "/api/registry";
    public static final String REGISTRY_REMOVE = "/api/registryRemove";
    public static final String CALLBACK = "/api/callback";
    public static final String DECLARATIONS = "/api/orth/declarations";
    public static final String QUEUE_WORK = "/api/orth/queues/work";
    public static final String QUEUE_PUSH = "/api/orth/queues/push";
    public static final String TASK_CONTENT = "/api/orth/tasks/content";
    public static final String TASK_STEPS = "/api/orth/tasks/steps";

    private AdminPaths() {}
}
