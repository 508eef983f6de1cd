package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * One immutable version of a job's source.
 *
 * @param text null in lists
 */
public record JobSource(
        @JsonUnwrapped SourceVersion about,
        @JsonProperty("source") String text) {

    /** Returns an upper bound of the bytes that the source takes in a trigger. */
    public long wireSize() {
        return SourceEdit.wireSize(text);
    }
}
