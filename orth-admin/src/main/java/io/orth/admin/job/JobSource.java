package io.orth.admin.job;

/** One version of a job's source. It never changes. */
public record JobSource(SourceVersion about, String text) {

    /** How many bytes a trigger that carries it takes for it, at the most. */
    public long wireSize() {
        return SourceEdit.wireSize(text);
    }
}
