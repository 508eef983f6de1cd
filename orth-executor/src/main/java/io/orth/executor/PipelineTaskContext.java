package io.orth.executor;

import java.util.Map;
import java.util.Optional;

/**
 * The pipeline task that a handler processes, and the operations on it. JSON texts are empty if there is no value. Safe for use
 * by all threads of the handler.
 *
 * <p>Methods that record content or steps return once an admin has recorded them. Proposed tasks are sent with the result of the
 * attempt. An operation throws {@link TaskOverException} if the task no longer belongs to this handler or the thread is
 * interrupted, {@link FailForGoodException} if the data violates a limit, and {@link IllegalStateException} if no admin can be
 * reached for some time or the admins reject the request. A handler can let the last one propagate, so that the task is retried
 * later.
 */
public interface PipelineTaskContext {

    /** Returns the task's id, which is the same for all attempts. */
    long taskId();

    /** Returns the number of this attempt, from 1. */
    int attempt();

    /** Returns the maximum number of attempts, the first included. */
    int maxAttempts();

    /** Returns whether a failure of this attempt fails the task. */
    default boolean isLastAttempt() {
        return attempt() >= maxAttempts();
    }

    /** Returns the id of the pipeline run that the task belongs to. */
    long rootJobId();

    String pipeline();

    String stage();

    /** Returns the kind of entity that the task is about. */
    String targetType();

    /** Returns the id of the entity that the task is about. */
    String targetId();

    /** Returns the task's parameters as JSON text. */
    String params();

    /**
     * Returns the task's parameters as a record.
     *
     * @throws FailForGoodException if the parameters do not fit the record
     */
    <T extends Record> T params(Class<T> type);

    /** Returns the task's metadata, by which it can be found, such as its language. */
    Map<String, String> meta();

    /** Returns the scope that the pipeline run was submitted for, as JSON text. */
    String scope();

    /** Returns the options that the pipeline run was submitted with, as JSON text. */
    String options();

    /** Returns the options as a record; each missing field is null. */
    <T extends Record> T options(Class<T> type);

    /** Returns the user that submitted the pipeline run. */
    String createdBy();

    /** Returns the trace id that follows the work across processes: 32 hexadecimal digits. */
    String traceId();

    /** Returns the value for the {@code traceparent} header (W3C trace context) of requests that the handler sends. */
    String traceparent();

    /**
     * Returns whether this task is known to have recorded the content, in this attempt or in an earlier one that the admin
     * reported to the executor.
     */
    boolean hasContent(String ref);

    /** Records content with the status {@code stored}; see {@link #content(String, long, String)}. */
    default boolean content(String ref, long size) {
        return content(ref, size, null);
    }

    /**
     * Records content that the task has stored elsewhere. Repeated calls with the same {@code ref} record it once per task.
     *
     * @param ref reference of the content in its store: 1 to 500 characters
     * @param size in bytes
     * @param status up to 32 characters; null means {@code stored}, which becomes {@code ready} when the task completes
     * @return false if the task had already recorded the content
     */
    boolean content(String ref, long size, String status);

    /**
     * Produces content and records it, unless the task has already recorded it. A further attempt therefore skips content that an
     * earlier one recorded.
     *
     * @return whether the content was produced
     */
    default boolean content(String ref, ContentMaker maker) throws Exception {
        if (hasContent(ref)) {
            return false;
        }
        content(ref, maker.make());
        return true;
    }

    /** Produces a piece of content and stores it. */
    @FunctionalInterface
    interface ContentMaker {

        /** Returns the content's size in bytes. */
        long make() throws Exception;
    }

    /** Adds a step to the execution log. The log keeps the first 1,000 steps of a task. */
    void step(String text);

    /** Adds a step with structured data, at most 8 KB as JSON, to the execution log. */
    void step(Map<String, ?> facts);

    /** Proposes a task for the next stage, without parameters and with the metadata of this task. */
    default void child(String targetType, String targetId) {
        child(targetType, targetId, null);
    }

    /** Proposes a task for the next stage, with the metadata of this task. */
    default void child(String targetType, String targetId, Object params) {
        child(targetType, targetId, params, meta());
    }

    /**
     * Proposes a task for the next stage. The task is created once this attempt has succeeded and all tasks of this stage are
     * finished. A task that is proposed several times, by this task or by others, is created once. A task may propose at most
     * 10,000 tasks, of 4 MB in total.
     *
     * @param targetType up to 64 letters, digits and {@code . _ -}
     * @param targetId up to 200 characters
     * @param params null, or a value of the types that a handler may return as its result; at most 8 KB as JSON
     */
    void child(String targetType, String targetId, Object params, Map<String, String> meta);

    /** Returns the task that the calling thread works on, if any. */
    static Optional<PipelineTaskContext> current() {
        return OrthJobContext.current().flatMap(OrthJobContext::task);
    }
}
