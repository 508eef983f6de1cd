package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each page can be found, and each link leads somewhere. */
@Tag("must-words")
class DocumentationTest {

    private static final Path ROOT = Path.of("..");
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Path INDEX = DOCS.resolve("index.md");
    private static final Path DECISIONS = DOCS.resolve("adr");

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");

    /** Decisions are linked from their own list, which the index links. */
    @Test
    void everyPageIsLinkedFromTheIndex() throws IOException {
        List<Path> linked = new ArrayList<>(targets(INDEX));
        assertThat(linked).contains(DECISIONS.resolve("README.md"));
        linked.addAll(targets(DECISIONS.resolve("README.md")));
        linked.add(INDEX);

        assertThat(pagesBelow(DOCS)).hasSizeGreaterThan(50).allMatch(linked::contains, "is linked from the index");
        assertThat(targets(ROOT.resolve("README.md"))).contains(INDEX);
    }

    @Test
    void noLinkIsDead() throws IOException {
        List<Path> pages = new ArrayList<>(pagesBelow(DOCS));
        try (Stream<Path> files = Files.list(ROOT)) {
            files.filter(DocumentationTest::isPage).forEach(pages::add);
        }
        List<String> dead = pages.stream()
                .flatMap(page -> links(page).stream()
                        .filter(link -> !leadsSomewhere(page, link))
                        .map(link -> "%s: %s".formatted(page, link)))
                .toList();

        assertThat(dead).isEmpty();
    }

    /** Whether the test above finds what is dead. */
    @Test
    void aLinkToAMissingPageOrHeadingIsDead() {
        assertThat(leadsSomewhere(INDEX, "adr/README.md")).isTrue();
        assertThat(leadsSomewhere(INDEX, "adr/README.md#decisions")).isTrue();
        assertThat(leadsSomewhere(INDEX, "#documentation")).isTrue();
        assertThat(leadsSomewhere(INDEX, "https://example.org/")).isTrue();
        assertThat(leadsSomewhere(INDEX, "adr/9999.md")).isFalse();
        assertThat(leadsSomewhere(INDEX, "adr/README.md#guesses")).isFalse();
        assertThat(leadsSomewhere(INDEX, "#nothing")).isFalse();
    }

    @Test
    void headingsHaveTheAnchorsThatBrowsersUse() {
        assertThat(anchors("# Where is the rule?\n## `A.b` – c_d, e\n## Same\n## Same\n```\n# no heading\n```\n"))
                .containsExactly("where-is-the-rule", "ab--c_d-e", "same", "same-1");
    }

    private static boolean leadsSomewhere(Path page, String link) {
        if (ELSEWHERE.matcher(link).matches()) {
            return true;
        }
        String[] parts = link.split("#", 2);
        Path target = target(page, parts[0]);
        return Files.exists(target)
                && (parts.length == 1 || anchors(read(target)).contains(parts[1]));
    }

    private static List<Path> targets(Path page) {
        return links(page).stream()
                .filter(link -> !ELSEWHERE.matcher(link).matches())
                .map(link -> target(page, link.replaceAll("#.*", "")))
                .toList();
    }

    private static Path target(Path page, String link) {
        return link.isEmpty() ? page : page.resolveSibling(link).normalize();
    }

    private static List<String> links(Path page) {
        return LINK.matcher(withoutCode(read(page)))
                .results()
                .map(link -> link.group(1))
                .toList();
    }

    /** As GitHub makes them: letters, digits, hyphens and underscores, and a number behind those that are there already. */
    private static List<String> anchors(String page) {
        Map<String, Integer> known = new HashMap<>();
        return HEADING.matcher(withoutBlocks(page))
                .results()
                .map(heading -> heading.group(1)
                        .strip()
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .map(anchor -> {
                    int before = known.merge(anchor, 1, Integer::sum) - 1;
                    return before == 0 ? anchor : anchor + "-" + before;
                })
                .toList();
    }

    private static String withoutCode(String page) {
        return withoutBlocks(page).replaceAll("`[^`\n]*`", "code");
    }

    private static String withoutBlocks(String page) {
        return page.replaceAll("(?ms)^ *```.*?^ *```$", "");
    }

    private static List<Path> pagesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(DocumentationTest::isPage).toList();
        }
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
