package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.orth.protocol.GlueType;
import java.time.Instant;

/** One version of a job's source without its text; {@code bytes} is its length in UTF-8. */
public record SourceVersion(
        @JsonIgnore int jobId, int version, GlueType type, int bytes, String note, String author, Instant createdAt) {}
