package io.orth.admin.declaration;

/** How a job stands to what the code declares. */
public enum DeclarationState {
    /** The job is what the code says, and will be what it says next. */
    FOLLOWED,
    /** A person has made the job something else; the code does not change it. */
    DIFFERS,
    /** What the code says now cannot be; the job, if there is one, is as it was. */
    REFUSED,
    /** A person has deleted the job; it stays away until the code says something else. */
    DISMISSED,
    /** The code says nothing about the job any more; the job goes on. */
    WITHDRAWN
}
