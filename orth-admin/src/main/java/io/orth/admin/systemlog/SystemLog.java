package io.orth.admin.systemlog;

/** The platform's log of its own work and incidents, for operators. */
@FunctionalInterface
public interface SystemLog {

    /**
     * Publishes a line. Never blocks and never throws. Call it after the commit of the reported change.
     *
     * @param message truncated to {@value LogLine#LONGEST_MESSAGE} characters; control characters are replaced
     * @param workerId the executor instance concerned; may be null
     * @param queue the queue concerned; may be null
     */
    void publish(LogLevel level, String message, String workerId, String queue);

    default void info(String message) {
        publish(LogLevel.INFO, message, null, null);
    }

    default void warn(String message) {
        publish(LogLevel.WARN, message, null, null);
    }

    default void error(String message) {
        publish(LogLevel.ERROR, message, null, null);
    }
}
