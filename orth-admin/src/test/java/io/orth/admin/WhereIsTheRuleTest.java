package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page about the architecture names what exists, and has a place for each rule and each law. */
@Tag("must-words")
class WhereIsTheRuleTest {

    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs").resolve("architecture.md");
    private static final Path ADMIN = Path.of("src", "main", "java", "io", "orth", "admin");
    private static final Path MIGRATIONS = Path.of("src", "main", "resources", "db", "migration");

    private static final List<String> RULES = List.of(
            "A run is completed once",
            "A retry is a new run",
            "An executor is dead after three missed heartbeats",
            "Dead letters are kept 180 days",
            "Who may call a route",
            "What DISCARD does",
            "When a job misfires",
            "What is journalled",
            "What a lease is",
            "How ids are made");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** A class, perhaps with the end of its package before it and one of its methods behind it. */
    private static final Pattern NAME = Pattern.compile("((?:[a-z]\\w*\\.)*[A-Z]\\w*[a-z]\\w*)(?:[.#]([a-z]\\w*))?");

    private static List<Path> sources;

    @BeforeAll
    static void findSources() throws IOException {
        sources = new ArrayList<>();
        for (String module : modules()) {
            Path java = ROOT.resolve(module).resolve("src");
            try (Stream<Path> files = Files.isDirectory(java) ? Files.walk(java) : Stream.empty()) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
    }

    @Test
    void classesAndMethodsOfThePageExist() {
        List<String> names = code(prose(read(PAGE))).stream()
                .filter(code -> NAME.matcher(code).matches())
                .toList();

        assertThat(names).hasSizeGreaterThan(100).allMatch(name -> exists(name, "/"), "exists in the sources");
    }

    @Test
    void eachRuleHasOneClassAndOneTest() {
        List<List<String>> rows = rows("Where is the rule?");

        assertThat(rows).extracting(row -> row.get(0)).containsExactlyElementsOf(RULES);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.get(1)).isNotBlank();
            checkPlace(row.get(2), row.get(3));
        });
    }

    @Test
    void eachLawHasAClassAndATest() {
        List<String> laws = section(read(ROOT.resolve("CONTRIBUTING.md")), "The laws")
                .lines()
                .filter(line -> line.matches("\\d+\\. .*"))
                .map(line -> line.replaceAll("\\..*", ""))
                .toList();
        List<List<String>> rows = rows("The laws");

        assertThat(laws).hasSizeGreaterThan(10);
        assertThat(rows).extracting(row -> row.get(0)).containsExactlyElementsOf(laws);
        assertThat(rows).allSatisfy(row -> checkPlace(row.get(2), row.get(3)));
    }

    @Test
    void listsExactlyTheExistingModulesAndFeatures() throws IOException {
        List<String> features;
        try (Stream<Path> folders = Files.list(ADMIN)) {
            features = folders.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .toList();
        }

        assertThat(rows("Modules").stream().flatMap(row -> code(row.get(0)).stream()))
                .containsExactlyInAnyOrderElementsOf(modules());
        assertThat(rows("Features of the admin").stream().flatMap(row -> code(row.get(0)).stream()))
                .containsExactlyInAnyOrderElementsOf(features);
    }

    @Test
    void eachTableThatAFeatureOwnsExistsAndHasOneOwner() throws IOException {
        StringBuilder migrations = new StringBuilder();
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            files.forEach(file -> migrations.append(read(file)));
        }
        Pattern created = Pattern.compile("(?:create table|rename to) orth_(\\w+)");
        List<String> tables = created.matcher(migrations)
                .results()
                .map(table -> table.group(1))
                .toList();

        assertThat(rows("Features of the admin").stream().flatMap(row -> code(row.get(2)).stream()))
                .doesNotHaveDuplicates()
                .isSubsetOf(tables);
    }

    /** Whether the other tests find what is missing. */
    @Test
    void detectsMissingClassOrMethod() {
        assertThat(exists("WhereIsTheRuleTest#detectsMissingClassOrMethod", "/src/test/"))
                .isTrue();
        assertThat(exists("WhereIsTheRuleTest#another", "/src/test/")).isFalse();
        assertThat(exists("WhereIsTheRuleTest", "/src/main/")).isFalse();
        assertThat(exists("kernel.Lifecycle.moveAll", "/src/main/")).isTrue();
        assertThat(exists("registry.Lifecycle", "/src/main/")).isFalse();
    }

    private static void checkPlace(String type, String test) {
        assertThat(code(type)).hasSize(1).allMatch(name -> exists(name, "/src/main/"), "is a class");
        assertThat(code(test))
                .hasSize(1)
                .allMatch(name -> name.contains("#") && exists(name, "/src/test/"), "is a test");
    }

    /** @param place in the path of the source */
    private static boolean exists(String name, String place) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            return false;
        }
        String end = "/" + parts.group(1).replace('.', '/') + ".java";
        String method = parts.group(2);
        Pattern member = Pattern.compile("(?m)^ {4}\\S[^(=;]* %s\\(".formatted(method));
        return sources.stream()
                .filter(source ->
                        source.toString().endsWith(end) && source.toString().contains(place))
                .anyMatch(
                        source -> method == null || member.matcher(read(source)).find());
    }

    /** Those that the build is made of. */
    private static List<String> modules() {
        return Pattern.compile("<module>([^<]+)</module>")
                .matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
    }

    /** Cells of each row of a section's last table, without its head. */
    private static List<List<String>> rows(String heading) {
        return section(read(PAGE), heading)
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(2)
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static String section(String page, String heading) {
        String start = "\n## " + heading + "\n";
        assertThat(page).contains(start);
        String rest = page.substring(page.indexOf(start) + start.length());
        int next = rest.indexOf("\n## ");
        return next < 0 ? rest : rest.substring(0, next);
    }

    private static String prose(String page) {
        return page.replaceAll("(?s)\n```.*?\n```", "");
    }

    private static List<String> code(String text) {
        return CODE.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
