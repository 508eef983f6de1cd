package io.orth.executor;

import java.util.Map;
import java.util.Optional;

/**
 * The task of a pipeline that a handler works on, and what the handler may say about it. Texts that are JSON are empty where there is
 * nothing. Safe for use by the handler's threads.
 *
 * <p>What a handler says is recorded by an admin when a method returns. It throws {@link TaskOverException} when the task is not this
 * handler's any more, {@link FailForGoodException} for what no admin would take, and {@link IllegalStateException} when no admin could
 * be reached for a while, which is as good a reason to try again later as any.
 */
public interface PipelineTaskContext {

    /** The same for all attempts at the task. */
    long taskId();

    /** Which attempt this is, from 1. */
    int attempt();

    /** After how many failed attempts the task has failed. */
    int maxAttempts();

    /** Whether the task has failed if this attempt does. */
    default boolean isLastAttempt() {
        return attempt() >= maxAttempts();
    }

    /** The pipeline's run that the task belongs to. */
    long rootJobId();

    String pipeline();

    String stage();

    /** What kind of thing it is about. */
    String targetType();

    /** Which one. */
    String targetId();

    /** What was given to the task, as JSON text. */
    String params();

    /**
     * The same as a record.
     *
     * @throws FailForGoodException if it does not fit
     */
    <T extends Record> T params(Class<T> type);

    /** Facts about the task that it can be found by, such as its language. */
    Map<String, String> meta();

    /** What the pipeline's run was submitted for, as JSON text. */
    String scope();

    /** What else the pipeline's run was submitted with, as JSON text. */
    String options();

    /** The same as a record, where every field that was left out is null. */
    <T extends Record> T options(Class<T> type);

    /** Who submitted the pipeline's run. */
    String createdBy();

    /** Follows the work across processes: 32 hexadecimal digits. */
    String traceId();

    /** For the header of this name (W3C trace context) of requests that the handler makes. */
    String traceparent();

    /** Whether this task has recorded such content, in this attempt or an earlier one, as far as the executor was told. */
    boolean hasContent(String ref);

    /** Records content, as {@link #content(String, long, String)} with the status {@code stored}. */
    default boolean content(String ref, long size) {
        return content(ref, size, null);
    }

    /**
     * Records what the task has made and stored elsewhere. However often it is said, it is recorded once for the task.
     *
     * @param ref names it there: 1 to 500 characters
     * @param size in bytes
     * @param status up to 32 characters; {@code stored}, where null, becomes {@code ready} when the task completes
     * @return false if the task had recorded it before
     */
    boolean content(String ref, long size, String status);

    /**
     * Makes content and records it, unless the task has recorded it before: then a further attempt need not make it again.
     *
     * @return whether it was made
     */
    default boolean content(String ref, ContentMaker maker) throws Exception {
        if (hasContent(ref)) {
            return false;
        }
        content(ref, maker.make());
        return true;
    }

    /** Makes a piece of content and stores it. */
    @FunctionalInterface
    interface ContentMaker {

        /** Returns its size in bytes. */
        long make() throws Exception;
    }

    /** Says in the execution log what the task is at; of a task the first 1,000 are kept. */
    void step(String text);

    /** The same with more than a text, at most 8 KB as JSON. */
    void step(Map<String, ?> facts);

    /** Proposes a task for the next stage, without parameters. */
    default void child(String targetType, String targetId) {
        child(targetType, targetId, null);
    }

    /** Proposes a task for the next stage with the meta of this one. */
    default void child(String targetType, String targetId, Object params) {
        child(targetType, targetId, params, meta());
    }

    /**
     * Proposes a task for the next stage. It is made when this attempt has succeeded and all of this stage is over; proposed twice, by this
     * task or another, it is made once. A task proposes at most 10,000 with 4 MB in all.
     *
     * @param targetType up to 64 letters, digits and {@code . _ -}
     * @param targetId up to 200 characters
     * @param params as a handler's result, or null; at most 8 KB as JSON
     */
    void child(String targetType, String targetId, Object params, Map<String, String> meta);

    /** The task that the calling thread works on, if any. */
    static Optional<PipelineTaskContext> current() {
        return OrthJobContext.current().flatMap(OrthJobContext::task);
    }
}
