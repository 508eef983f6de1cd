package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples and the tests of the starter have the POM of an application, so they repeat versions of the root POM. */
@Tag("must-first")
class PomVersionsTest {

    private static final Path ROOT = Path.of("..");

    private static String read(String pom) throws IOException {
        return Files.readString(ROOT.resolve(pom));
    }

    private static String match(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    private static String property(String pom, String name) throws IOException {
        return match(read(pom), "<%1$s>([^<]+)</%1$s>".formatted(Pattern.quote(name)));
    }

    @ParameterizedTest
    @CsvSource({
        "orth-spring-boot-tests/boot-4/pom.xml, spring-boot.version",
        "orth-spring-boot-tests/boot-3/pom.xml, spring-boot-3.version",
        "samples/spring-boot/pom.xml, spring-boot.version"
    })
    void applicationsHaveSpringBootsOwnParent(String pom, String property) throws IOException {
        assertThat(match(read(pom), "<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>([^<]+)<"))
                .isEqualTo(property("pom.xml", property));
    }

    @ParameterizedTest
    @ValueSource(strings = {"samples/spring-boot/pom.xml", "samples/plain-java/pom.xml", "samples/hydrate-all/pom.xml"})
    void aSampleCanBeCopied(String pom) throws IOException {
        assertThat(read(pom))
                .doesNotContain("<relativePath>", "..", "<artifactId>orth</artifactId>")
                .contains("<groupId>io.orth</groupId>");
        assertThat(property(pom, "orth.version"))
                .isEqualTo(match(read("pom.xml"), "<artifactId>orth</artifactId>\\s*<version>([^<]+)<"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"samples/plain-java/pom.xml", "samples/hydrate-all/pom.xml"})
    void aSampleUsesTheVersionsThatOrthIsTestedWith(String pom) throws IOException {
        assertThat(property(pom, "junit-jupiter.version")).isEqualTo(property("pom.xml", "junit-jupiter.version"));
        for (String plugin : List.of("compiler", "surefire", "resources", "jar")) {
            assertThat(match(
                            read(pom),
                            "<artifactId>maven-%s-plugin</artifactId>\\s*<version>([^<]+)<".formatted(plugin)))
                    .as(plugin)
                    .isEqualTo(property("pom.xml", plugin + "-plugin.version"));
        }
    }
}
