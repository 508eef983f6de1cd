package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sample that is copied out of the repository is an application of its own: it builds with nothing but Orth's artifacts and those
 * of Maven Central. The local Maven repository stands in for the latter.
 */
@Tag("must-first")
class CopiedSampleE2eTest {

    private static final Path LOCAL_REPOSITORY = Path.of(System.getProperty("orth.maven.repository"));
    private static final String VERSION = System.getProperty("orth.version");
    private static final Duration BUILD = Duration.ofMinutes(8);

    @TempDir
    Path directory;

    @BeforeEach
    void publishOrth() throws IOException {
        publish("orth", Installation.ROOT.resolve("pom.xml"));
        try (Stream<Path> modules = Files.list(Installation.ROOT)) {
            for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml")))
                    .toList()) {
                String artifact = module.getFileName().toString();
                Path jar = module.resolve("target/%s-%s.jar".formatted(artifact, VERSION));
                if (Files.exists(jar)) {
                    publish(artifact, module.resolve("pom.xml"));
                    Files.copy(jar, published(artifact, "jar"));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring-boot", "plain-java", "hydrate-all"})
    void aCopiedSampleBuilds(String sample) throws IOException {
        Path copy = directory.resolve("application");
        copy(Installation.ROOT.resolve("samples").resolve(sample), copy);

        Path settings = settings();
        try (Program maven = Program.start(
                directory.resolve("build.log"),
                Map.of("JAVA_HOME", System.getProperty("java.home"), "MAVEN_OPTS", ""),
                List.of(
                        "mvn",
                        "-B",
                        "-ntp",
                        "-s",
                        settings.toString(),
                        "-gs",
                        settings.toString(),
                        "-f",
                        copy.resolve("pom.xml").toString(),
                        "-DskipTests",
                        "package"))) {
            assertThat(maven.exitCode(BUILD)).as(maven.output()).isZero();
        }
        assertThat(copy.resolve("target/orth-sample-%s-%s.jar".formatted(sample, VERSION)))
                .isRegularFile();
    }

    private void publish(String artifact, Path pom) throws IOException {
        Path target = published(artifact, "pom");
        Files.createDirectories(target.getParent());
        Files.copy(pom, target);
    }

    private Path published(String artifact, String type) {
        return directory.resolve("published/io/orth/%1$s/%2$s/%1$s-%2$s.%3$s".formatted(artifact, VERSION, type));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(each -> !from.relativize(each).startsWith("target"))
                    .toList()) {
                Path target = to.resolve(from.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    /** Replaces the settings of the user and of the machine, so that no other repository is asked. */
    private Path settings() throws IOException {
        return Files.writeString(directory.resolve("settings.xml"), """
                <settings>
                  <localRepository>%1$s</localRepository>
                  <profiles>
                    <profile>
                      <id>repositories</id>
                      <repositories>
                        <repository><id>central</id><url>%2$s</url></repository>
                        <repository><id>orth</id><url>%3$s</url></repository>
                      </repositories>
                      <pluginRepositories>
                        <pluginRepository><id>central</id><url>%2$s</url></pluginRepository>
                      </pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>repositories</activeProfile></activeProfiles>
                </settings>
                """.formatted(
                        directory.resolve("local"),
                        LOCAL_REPOSITORY.toUri(),
                        directory.resolve("published").toUri()));
    }
}
