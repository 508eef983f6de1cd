package io.orth.spring;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;

/**
 * Copies log output of a run's threads to the run's log. For every other thread the cost is one thread-local lookup. Output of
 * the executor itself is left out: it does not belong to the run, and writing a line could cause further output.
 */
final class RunLogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

    static final String NAME = "orth-run-log";

    private final ThrowableProxyConverter stackTraces = new ThrowableProxyConverter();

    RunLogAppender() {
        setName(NAME);
    }

    @Override
    public void start() {
        stackTraces.start();
        super.start();
    }

    /** Looks up the run before the base class does any work. */
    @Override
    public void doAppend(ILoggingEvent event) {
        if (OrthJobContext.current().isPresent() && !isOurs(event.getLoggerName())) {
            super.doAppend(event);
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        OrthJobHelper.log("{}", lineOf(event));
    }

    private String lineOf(ILoggingEvent event) {
        String line = "%-5s %s - %s"
                .formatted(event.getLevel(), shortName(event.getLoggerName()), event.getFormattedMessage());
        return event.getThrowableProxy() == null
                ? line
                : line + "\n" + stackTraces.convert(event).stripTrailing();
    }

    private static boolean isOurs(String logger) {
        return logger.startsWith("io.orth.executor.") || logger.startsWith("io.orth.spring.");
    }

    private static String shortName(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }
}
