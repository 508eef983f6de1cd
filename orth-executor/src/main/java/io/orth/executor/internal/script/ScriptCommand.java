package io.orth.executor.internal.script;

import io.orth.executor.OrthJobContext;
import io.orth.executor.ScriptLanguage;
import io.orth.executor.ScriptOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts interpreters: {@code interpreter file param index total}, each a separate argument, without a shell. */
record ScriptCommand(ScriptOptions options, ScriptEnvironment environment) {

    /** {@code error=2} in older Java versions, {@code error: 2} in newer ones. */
    private static final Pattern ERROR_NUMBER = Pattern.compile("error(?:=|: )(\\d+)");

    private static final Path RELAY = Path.of("/bin/cat");
    private static final String NO_SUCH_FILE = "2";
    private static final String TOO_LONG = "7";
    private static final String NOT_PERMITTED = "13";
    private static final int JAVA_WITH_SEPARATE_ARGUMENT_CHARSET = 18;

    /** Thrown if nothing was started, for a reason that the author or the operator can fix. */
    static final class CannotStartException extends Exception {

        private static final long serialVersionUID = 1;

        CannotStartException(String reason, Throwable cause) {
            super(reason, cause);
        }
    }

    /** @param output output of the script and its children, until the last of them has closed it */
    record Started(Process script, InputStream output) {}

    Started start(ScriptLanguage language, Path file, OrthJobContext context, String tag) throws CannotStartException {
        checkEncodable(context.param());
        List<String> command = new ArrayList<>();
        command.add(options.interpreter(language));
        command.addAll(language.interpreterArguments());
        command.add(file.toString());
        command.add(context.param());
        command.add(Integer.toString(context.shardIndex()));
        command.add(Integer.toString(context.shardTotal()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        environment.apply(builder.environment(), language, context, tag);
        try {
            Started started = start(builder);
            closeInput(started.script());
            return started;
        } catch (IOException e) {
            throw new CannotStartException(reason(e, language, context.param()), e);
        }
    }

    /**
     * Starts the script behind a relay. When a process exits, the JDK on Unix drains its pipe into memory and closes it, even if
     * a background process still writes; that process then dies of a broken pipe. With the relay, the JDK sees only the relay's
     * exit, which is the end of all output.
     */
    private static Started start(ProcessBuilder script) throws IOException {
        if (!Files.isExecutable(RELAY)) {
            Process process = script.start();
            return new Started(process, process.getInputStream());
        }
        List<Process> pipeline = ProcessBuilder.startPipeline(List.of(script, new ProcessBuilder(RELAY.toString())));
        return new Started(pipeline.get(0), pipeline.get(1).getInputStream());
    }

    /** Closes the input, so that a script that reads it reaches the end immediately and does not wait forever. */
    private static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The script has already closed its end.
        }
    }

    /** Rejects characters that would otherwise be passed on as question marks. */
    private static void checkEncodable(String param) throws CannotStartException {
        Charset charset = argumentCharset();
        if (!charset.newEncoder().canEncode(param)) {
            throw new CannotStartException(
                    "the parameter has characters that cannot be passed to a program in %s; start the executor with LANG=C.UTF-8"
                            .formatted(charset),
                    null);
        }
    }

    /** Returns the charset that the JDK uses for arguments and variables. */
    private static Charset argumentCharset() {
        if (System.getProperty("os.name").startsWith("Windows")) {
            return StandardCharsets.UTF_16LE;
        }
        return Runtime.version().feature() < JAVA_WITH_SEPARATE_ARGUMENT_CHARSET
                ? Charset.defaultCharset()
                : Charset.forName(System.getProperty("sun.jnu.encoding"));
    }

    private String reason(IOException e, ScriptLanguage language, String param) {
        String interpreter = options.interpreter(language);
        Matcher error = ERROR_NUMBER.matcher(String.valueOf(e.getMessage()));
        return switch (error.find() ? error.group(1) : "") {
            case NO_SUCH_FILE ->
                "the interpreter '%s' was not found on this executor; %s names another one"
                        .formatted(interpreter, language.property());
            case NOT_PERMITTED ->
                "the interpreter '%s' cannot be executed by this executor; %s names another one"
                        .formatted(interpreter, language.property());
            case TOO_LONG ->
                "the parameter is too long to be passed to a program: %,d characters".formatted(param.length());
            default -> "the interpreter '%s' could not be started: %s".formatted(interpreter, e.getMessage());
        };
    }
}
