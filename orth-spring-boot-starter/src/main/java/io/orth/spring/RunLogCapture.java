package io.orth.spring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;

/**
 * Keeps exactly one {@link RunLogAppender} attached to a Logback context, also across reconfigurations, as long as at least one
 * application of the JVM needs it. A second appender would write every line twice.
 */
final class RunLogCapture implements LoggerContextListener {

    private final LoggerContext context;
    private RunLogAppender appender;

    /** Guarded by the context's monitor, as are the attached appenders. */
    private int users;

    private RunLogCapture(LoggerContext context) {
        this.context = context;
    }

    static void begin(LoggerContext context) {
        synchronized (context) {
            RunLogCapture capture = of(context);
            if (capture == null) {
                capture = new RunLogCapture(context);
                context.addListener(capture);
                capture.attach();
            }
            capture.users++;
        }
    }

    static void end(LoggerContext context) {
        synchronized (context) {
            RunLogCapture capture = of(context);
            if (capture != null && --capture.users == 0) {
                context.removeListener(capture);
                capture.detach();
            }
        }
    }

    private static RunLogCapture of(LoggerContext context) {
        return context.getCopyOfListenerList().stream()
                .filter(RunLogCapture.class::isInstance)
                .map(RunLogCapture.class::cast)
                .findFirst()
                .orElse(null);
    }

    /** A logger that is not additive needs the appender itself. */
    private void attach() {
        appender = new RunLogAppender();
        appender.setContext(context);
        appender.start();
        context.getLoggerList().stream().filter(RunLogCapture::passesNothingOn).forEach(logger -> {
            logger.detachAppender(RunLogAppender.NAME);
            logger.addAppender(appender);
        });
    }

    private void detach() {
        context.getLoggerList().forEach(logger -> logger.detachAppender(appender));
        appender.stop();
    }

    private static boolean passesNothingOn(Logger logger) {
        return logger.getName().equals(Logger.ROOT_LOGGER_NAME) || !logger.isAdditive();
    }

    @Override
    public boolean isResetResistant() {
        return true;
    }

    /** A reset removes all appenders, either immediately or before a new configuration is read. */
    @Override
    public void onReset(LoggerContext reset) {
        attach();
    }

    /** A new configuration is complete and may have new loggers. */
    @Override
    public void onStart(LoggerContext started) {
        detach();
        attach();
    }

    @Override
    public void onStop(LoggerContext stopped) {
        detach();
    }

    @Override
    public void onLevelChange(Logger logger, Level level) {
        // The logger decides which lines pass.
    }
}
