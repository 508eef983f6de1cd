package io.orth.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The reference lists exactly the commands and options there are, in the words of their own help. */
class CliReferenceTest {

    private final CommandLine commands = OrthCli.commands(new Surroundings(
            Map.of(),
            InputStream.nullInputStream(),
            new PrintWriter(Writer.nullWriter()),
            new PrintWriter(Writer.nullWriter())));

    @Test
    void listsEveryCommandInTheWordsOfItsHelp() throws Exception {
        assertThat(tables().get(2))
                .containsExactlyElementsOf(leaves(commands)
                        .map(command -> row(code(signature(command)), description(command)))
                        .toList());
    }

    @Test
    void listsEveryOptionOfACommandInTheWordsOfItsHelp() throws Exception {
        Map<String, List<String>> users = new LinkedHashMap<>();
        leaves(commands)
                .forEach(command -> command.options().stream()
                        .filter(option -> !option.inherited())
                        .forEach(option -> users.computeIfAbsent(
                                        code(label(option)) + " | " + words(option), any -> new ArrayList<>())
                                .add(code(name(command)))));

        assertThat(tables().get(3))
                .containsExactlyInAnyOrderElementsOf(users.entrySet().stream()
                        .map(option -> row(option.getKey()
                                .replaceFirst(" \\| ", " | " + String.join(", ", option.getValue()) + " | ")))
                        .toList());
    }

    @Test
    void listsTheOptionsOfAllCommands() throws Exception {
        assertThat(tables().get(0))
                .containsExactlyInAnyOrderElementsOf(commands.getCommandSpec().options().stream()
                        .map(option -> row(code(label(option)), words(option)))
                        .toList());
    }

    @Test
    void everyCommandOptionAndParameterHasHelp() {
        leaves(commands).forEach(command -> {
            assertThat(description(command)).as(name(command)).endsWith(".");
            command.args()
                    .forEach(arg ->
                            assertThat(arg.description()).as(arg.paramLabel()).isNotEmpty());
        });
    }

    private static Stream<CommandSpec> leaves(CommandLine command) {
        return command.getSubcommands().isEmpty()
                ? Stream.of(command.getCommandSpec())
                : command.getSubcommands().values().stream().flatMap(CliReferenceTest::leaves);
    }

    private static String name(CommandSpec command) {
        return command.qualifiedName().substring("orth cli ".length());
    }

    private static String signature(CommandSpec command) {
        return Stream.concat(
                        Stream.of(name(command)),
                        command.positionalParameters().stream().map(CliReferenceTest::parameter))
                .collect(joining(" "));
    }

    private static String parameter(PositionalParamSpec parameter) {
        String label = parameter.arity().max() > 1 ? parameter.paramLabel() + "..." : parameter.paramLabel();
        return parameter.arity().min() == 0 || parameter.group() != null ? "[%s]".formatted(label) : label;
    }

    private static String label(OptionSpec option) {
        String label = option.longestName();
        return option.typeInfo().isBoolean() && option.arity().max() == 0
                ? label
                : "%s %s".formatted(label, option.paramLabel());
    }

    private static String description(CommandSpec command) {
        return String.join(" ", command.usageMessage().description());
    }

    private static String words(ArgSpec option) {
        return String.join(" ", option.description()).replace("|", "\\|");
    }

    private static String code(String text) {
        return "`%s`".formatted(text.replace("|", "\\|"));
    }

    private static String row(String... cells) {
        return "| %s |".formatted(String.join(" | ", cells));
    }

    /** The rows of each table of the page, without heads. */
    private static List<List<String>> tables() throws Exception {
        List<List<String>> tables = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(Path.of("..", "docs", "reference", "cli.md"))) {
            boolean row = line.startsWith("|");
            if (row && !inside) {
                tables.add(new ArrayList<>());
            }
            if (row) {
                tables.get(tables.size() - 1).add(line);
            }
            inside = row;
        }
        return tables.stream().map(table -> table.subList(2, table.size())).toList();
    }
}
