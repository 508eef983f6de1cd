package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * One version of a job's source. It never changes.
 *
 * @param text null in lists
 */
public record JobSource(
        @JsonUnwrapped SourceVersion about,
        @JsonProperty("source") String text) {

    /** How many bytes a trigger that carries it takes for it, at the most. */
    public long wireSize() {
        return SourceEdit.wireSize(text);
    }
}
