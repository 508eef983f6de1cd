package io.orth.protocol;

/** Names of the HTTP headers that admin and executor exchange. */
public final class Headers {

    /** Token of the executor group. */
    public static final String ACCESS_TOKEN = "ORTH-ACCESS-TOKEN";

    /** The same token under the name that XXL-JOB's clients use; either is accepted. */
    public static final String XXL_ACCESS_TOKEN = "XXL-JOB-ACCESS-TOKEN";

    /** Id of the admin's installation, on requests to executors of Orth's own kind. */
    public static final String INSTALLATION_ID = "ORTH-INSTALLATION-ID";

    private Headers() {}
}
