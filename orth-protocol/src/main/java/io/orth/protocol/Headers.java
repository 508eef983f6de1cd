package io.orth.protocol;

/** Names of the HTTP headers that admin and executor exchange. */
public final class Headers {

    /** The token of the executor group. */
    public static final String ACCESS_TOKEN = "ORTH-ACCESS-TOKEN";

    /** The same token under the name XXL-JOB's clients use; either is accepted. */
    public static final String XXL_ACCESS_TOKEN = "XXL-JOB-ACCESS-TOKEN";

    /** The id of the installation that an admin belongs to, on requests to executors of Orth's own kind. */
    public static final String INSTALLATION_ID = "ORTH-INSTALLATION-ID";

    private Headers() {}
}
