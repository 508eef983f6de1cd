package io.orth.protocol;

/** Where executors reach an admin, below its base address. */
public final class AdminPaths {

    public static final String REGISTRY = "/api/registry";
    public static final String REGISTRY_REMOVE = "/api/registryRemove";
    public static final String CALLBACK = "/api/callback";
    public static final String DECLARATIONS = "/api/orth/declarations";

    private AdminPaths() {}
}
