package io.orth.admin.declaration;

/** State of a job relative to its declaration in code. */
public enum DeclarationState {
    /** The job matches its declaration and follows further changes of it. */
    FOLLOWED,
    /** A user has changed the job; the declaration no longer changes it. */
    DIFFERS,
    /** The current declaration was rejected; an existing job is unchanged. */
    REFUSED,
    /** A user has deleted the job; it is not created again until its declaration changes. */
    DISMISSED,
    /** The code no longer declares the job; the job remains. */
    WITHDRAWN
}
