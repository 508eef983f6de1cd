package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Documentation and comments use the terms of the field instead of phrases that readers have to decode. */
@Tag("must-words")
class ProseTest {

    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES = List.of(
            "orth-admin",
            "orth-protocol",
            "orth-runtime",
            "orth-postgres",
            "orth-client",
            "orth-executor",
            "orth-executor-test",
            "orth-spring-boot-starter",
            "orth-standalone",
            "orth-glue-groovy",
            "orth-launcher",
            "orth-cli");

    /** Each phrase with the words to use instead. */
    private static final Map<Pattern, String> BANNED = banned(
            "whoever", "the caller, the executor, the transaction that",
            "(?:no|some|any)body", "no executor, another admin, an operator",
            "tells?|told", "reports, notifies, delivers, returns",
            "begins?|begun|began", "starts, started",
            "at once", "immediately, or concurrently",
            "tries", "attempts",
            "go(?:es)? on", "continues, resumes",
            "gone", "offline, dead, deleted, expired",
            "(?:is|are) over", "is finished",
            "given up", "dead-lettered, or gives up after n attempts",
            "beats?", "heartbeat",
            "changes? of state", "transition",
            "judged?|verdicts?", "declared lost, decision",
            "another chance|in vain|crosswise|astray|for good", "the plain term",
            "mend(?:s|ed|ing)?", "fix");

    /** Of a line: code, quotations and names, which may contain anything. */
    private static final Pattern QUOTED = Pattern.compile(
            "`[^`]*`|\"[^\"]*\"|\\*[^*\\s][^*]*\\*|\\{@\\w+ [^}]*}|@(?:param|link|see|throws) \\S+|]\\([^)]*\\)");

    private static final Pattern SQL_COMMENT = Pattern.compile("--(.*)$");

    private static Map<Pattern, String> banned(String... phrases) {
        Map<Pattern, String> banned = new LinkedHashMap<>();
        for (int i = 0; i < phrases.length; i += 2) {
            banned.put(
                    Pattern.compile("(?<![\\w-])(?:" + phrases[i] + ")(?![\\w-])", Pattern.CASE_INSENSITIVE),
                    phrases[i + 1]);
        }
        return banned;
    }

    @Test
    void pagesUseTheTermsOfTheField() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : files(ROOT.resolve("docs"), ".md")) {
            found.addAll(findings(page, ProseTest::prose));
        }
        for (String page : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            found.addAll(findings(ROOT.resolve(page), ProseTest::prose));
        }

        assertThat(found).isEmpty();
    }

    @Test
    void commentsUseTheTermsOfTheField() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : MODULES) {
            Path main = ROOT.resolve(module).resolve("src").resolve("main");
            for (Path file : files(main, ".java")) {
                found.addAll(findings(file, ProseTest::javaComments));
            }
            for (Path file : files(main, ".sql")) {
                found.addAll(findings(file, ProseTest::sqlComments));
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void findsABannedPhrase() {
        assertThat(check("page", prose(List.of("Whoever waits is told.", "```", "told", "```", "`told` and *told*"))))
                .hasSize(2);
        assertThat(check("Java", javaComments(List.of("/**", " * It goes on.", " */", "told();", "// told"))))
                .hasSize(2);
        assertThat(check("SQL", sqlComments(List.of("-- What is over is gone.", "select told"))))
                .hasSize(2);
        assertThat(check("page", prose(List.of("A heartbeat retries the over-the-air update."))))
                .isEmpty();
    }

    /** A line of a file and its number. */
    private record Line(int number, String text) {}

    @FunctionalInterface
    private interface Reader {
        List<Line> read(List<String> lines);
    }

    private static List<String> findings(Path file, Reader reader) throws IOException {
        return check(ROOT.relativize(file).toString(), reader.read(Files.readAllLines(file)));
    }

    private static List<String> check(String name, List<Line> lines) {
        List<String> found = new ArrayList<>();
        for (Line line : lines) {
            String text = QUOTED.matcher(line.text()).replaceAll("");
            BANNED.forEach((phrase, instead) -> phrase.matcher(text)
                    .results()
                    .forEach(hit ->
                            found.add("%s:%d: '%s'; write: %s".formatted(name, line.number(), hit.group(), instead))));
        }
        return found;
    }

    private static List<Line> prose(List<String> lines) {
        List<Line> prose = new ArrayList<>();
        boolean code = false;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).strip().startsWith("```")) {
                code = !code;
            } else if (!code) {
                prose.add(new Line(i + 1, lines.get(i)));
            }
        }
        return prose;
    }

    private static List<Line> javaComments(List<String> lines) {
        List<Line> comments = new ArrayList<>();
        boolean inside = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            inside |= line.startsWith("/*");
            if (inside || line.startsWith("//")) {
                comments.add(new Line(i + 1, line));
            }
            inside &= !line.contains("*/");
        }
        return comments;
    }

    private static List<Line> sqlComments(List<String> lines) {
        List<Line> comments = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            int number = i + 1;
            SQL_COMMENT
                    .matcher(lines.get(i))
                    .results()
                    .forEach(comment -> comments.add(new Line(number, comment.group(1))));
        }
        return comments;
    }

    private static List<Path> files(Path directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }
}
