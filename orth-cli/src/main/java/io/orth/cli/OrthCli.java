package io.orth.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The program behind {@code ./orth cli}. */
@Command(
        name = "orth cli",
        description = "Use a running Orth from the terminal.",
        footer = {
            "",
            "The API token is read from the variable ORTH_TOKEN or from --credentials. Exit codes: 0 success; 1 the admin rejected the"
                    + " request or could not be reached; 2 usage error, or a file could not be read or written."
        })
public final class OrthCli {

    private static final int WIDTH = 120;

    /** Options may appear anywhere; those not given are null. */
    @Option(
            names = "--url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "the admin's address (variable ORTH_URL; default http://127.0.0.1:8080)")
    String url;

    @Option(
            names = "--credentials",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "a credentials.json with the apiToken, as written by ./orth up")
    String credentials;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "print the admin's response unchanged instead of a table")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "show this help")
    boolean help;

    private OrthCli() {}

    public static void main(String[] args) {
        Surroundings given = new Surroundings(System.getenv(), System.in, writer(System.out), writer(System.err));
        System.exit(run(given, args));
    }

    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /** Runs the program and returns its exit code. */
    static int run(Surroundings given, String... args) {
        Complaints complaints = new Complaints(given.err());
        return commands(given)
                .setParameterExceptionHandler((e, all) -> complaints.about(e))
                .setExecutionExceptionHandler((e, command, parsed) -> complaints.about(e))
                .execute(args);
    }

    static CommandLine commands(Surroundings given) {
        OrthCli options = new OrthCli();
        Session session = new Session(options, given);
        CommandLine commands = new CommandLine(options)
                .addSubcommand(PipelinesCommand.of(session))
                .addSubcommand(new Reconcile(session))
                .addSubcommand(OutboxCommand.of(session))
                .addSubcommand(QueuesCommand.of(session))
                .addSubcommand(InstallationCommand.of(session));
        return commands.registerConverter(Long.class, OrthCli::number)
                .registerConverter(long.class, OrthCli::number)
                .registerConverter(Duration.class, OrthCli::duration)
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(WIDTH)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setOut(given.out())
                .setErr(given.err());
    }

    private static Long number(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'%s' is not a whole number".formatted(text));
        }
    }

    private static Duration duration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'%s' is not a time such as PT5M".formatted(text));
        }
    }
}
