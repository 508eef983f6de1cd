package io.orth.admin.systemlog;

/** The platform's log of its own work and incidents, for operators. */
@FunctionalInterface
public interface SystemLog {

    /**
     * Never waits and never throws. Call it after the commit of what it reports.
     *
     * @param message is cut to {@value LogLine#LONGEST_MESSAGE} characters; control characters are replaced
     * @param workerId the executor instance it is about; may be null
     * @param queue the queue it is about; may be null
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
