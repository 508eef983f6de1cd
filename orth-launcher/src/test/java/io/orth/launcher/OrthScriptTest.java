package io.orth.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Responses of the script before it builds or starts anything. */
@Timeout(60)
class OrthScriptTest {

    private static final Path SCRIPT = Path.of("..", "orth").toAbsolutePath().normalize();

    private record Ended(int code, String output) {}

    @TempDir
    Path directory;

    private Ended run(Path script, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output.strip());
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        return run(SCRIPT, Map.of(), arguments);
    }

    /** A copy of the script and of what it is made of. */
    private Path copyWithScripts() throws IOException {
        Files.copy(
                SCRIPT.resolveSibling("scripts/test.sh"),
                Files.createDirectories(directory.resolve("scripts")).resolve("test.sh"));
        return Files.copy(SCRIPT, directory.resolve("orth"));
    }

    /** A program that does nothing but say this. */
    private Path saying(String name, String says) throws IOException {
        return program(name, "cat <<'END' >&2\n%s\nEND\n".formatted(says));
    }

    private Path program(String name, String source) throws IOException {
        Path program = directory.resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n" + source);
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void explainsItself() throws Exception {
        assertThat(run("help").code()).isZero();
        assertThat(run("help").output())
                .startsWith("usage: ./orth COMMAND")
                .contains("up", "test", "build", "cli", "--db-url");
        assertThat(run()).isEqualTo(run("help"));
        assertThat(run("up", "--help")).isEqualTo(run("help"));
    }

    @Test
    void rejectsUnknownCommandsAndOptions() throws Exception {
        assertThat(run("upp")).isEqualTo(new Ended(2, "'upp' is not a command of orth; ./orth help lists them."));
        assertThat(run("up", "--colour=red"))
                .isEqualTo(new Ended(2, "'--colour' is not an option of up; ./orth help lists them."));
        assertThat(run("up", "--port")).isEqualTo(new Ended(2, "--port needs a value."));
        assertThat(run("test", "--fast"))
                .isEqualTo(new Ended(2, "'--fast' is not an option of test; ./orth help lists them."));
        assertThat(run("test", "--tag")).isEqualTo(new Ended(2, "--tag needs the name of a tag."));
        assertThat(run("test", "--base", "HEAD")).isEqualTo(new Ended(2, "--base goes with --changed."));
    }

    @Test
    void rejectsAJavaThatIsTooOld() throws Exception {
        Path java = saying("old java/bin/java", "openjdk version \"11.0.2\" 2019-01-15");

        assertThat(run(SCRIPT, Map.of("ORTH_JAVA", java.toString()), "up"))
                .isEqualTo(new Ended(1, "ORTH_JAVA is Java 11 (%s), but Orth needs Java 17 or newer.".formatted(java)));
    }

    @Test
    void understandsOldJavaVersionNumbers() throws Exception {
        Path java = saying("jdk8/bin/java", "java version \"1.8.0_402\"");

        assertThat(run(SCRIPT, Map.of("ORTH_JAVA", java.getParent().getParent().toString()), "up")
                        .output())
                .startsWith("ORTH_JAVA is Java 8 (");
    }

    @Test
    void rejectsAJavaThatIsNotThere() throws Exception {
        assertThat(run(SCRIPT, Map.of("ORTH_JAVA", "/nowhere/bin/java"), "up"))
                .isEqualTo(new Ended(1, "ORTH_JAVA is /nowhere/bin/java, but there is no Java."));
    }

    @Test
    void worksThroughALinkInADirectoryWithSpaces() throws Exception {
        Path link = Files.createSymbolicLink(
                Files.createDirectory(directory.resolve("with spaces")).resolve("orth"), SCRIPT);

        assertThat(run(link, Map.of(), "help")).isEqualTo(run("help"));
    }

    /** Jars of a reproducible build are all of the same date. */
    @Test
    void unpacksAdminOncePerBuild() throws Exception {
        Path script = Files.copy(SCRIPT, directory.resolve("orth"));
        for (String module : List.of("orth-admin", "orth-standalone", "orth-launcher")) {
            Path jar = directory.resolve(module + "/target/" + module + "-1-exec.jar");
            Files.createDirectories(jar.getParent());
            Files.writeString(jar, "");
            Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
        }
        Path built = directory.resolve(".orth/built");
        Files.createDirectories(built.getParent());
        Files.writeString(built, "");
        Path log = directory.resolve("java.log");
        Path java = program("jdk/bin/java", """
                echo "$@" >> '%s'
                case "$*" in *jarmode=tools*) while [ "$1" != --destination ]; do shift; done; mkdir -p "$2" ;; esac
                echo 'openjdk version "25.0.1" 2025-10-21' >&2
                """.formatted(log));
        Map<String, String> environment = Map.of("ORTH_JAVA", java.toString());

        assertThat(run(script, environment, "up").code()).isZero();
        assertThat(run(script, environment, "up").code()).isZero();
        assertThat(unpacked(log)).isEqualTo(1);

        Files.setLastModifiedTime(
                built,
                FileTime.from(Files.getLastModifiedTime(directory.resolve(".orth/cache/admin"))
                        .toInstant()
                        .plusSeconds(1)));
        assertThat(run(script, environment, "up").code()).isZero();
        assertThat(unpacked(log)).isEqualTo(2);
    }

    /** On a machine that has everything but promtool. */
    @Test
    void fetchesPromtoolOnceForTheTestsOfTheAlerts() throws Exception {
        assumeThat(run(Path.of("/bin/sh"), Map.of(), "-c", "command -v promtool")
                        .output())
                .isEmpty();
        Path script = copyWithScripts();
        Path calls = directory.resolve("calls");
        Map<String, String> environment = fakeTools(calls);
        program("bin/apt-get", "echo \"apt-get $*\" >> '%s'\n: > prometheus_2_all.deb\n".formatted(calls));
        program(
                "bin/dpkg-deb",
                "mkdir -p \"$3/usr/bin\" && : > \"$3/usr/bin/promtool\" && chmod +x \"$3/usr/bin/promtool\"\n");

        Ended first = run(script, environment, "test");
        Ended second = run(script, environment, "test");

        Path promtool = directory.toRealPath().resolve(".orth/tools/prometheus/usr/bin/promtool");
        assertThat(first.output()).contains("Fetching promtool for the tests of the alerts");
        assertThat(second.output()).doesNotContain("promtool");
        assertThat(Files.readAllLines(calls))
                .filteredOn(call -> call.startsWith("apt-get"))
                .containsExactly("apt-get download prometheus");
        assertThat(Files.readAllLines(calls))
                .filteredOn(call -> call.startsWith("mvn"))
                .hasSize(2)
                .allMatch(call -> call.contains("-Dorth.promtool=" + promtool));
    }

    @Test
    void reportsMissingPromtoolInOneLine() throws Exception {
        assumeThat(run(Path.of("/bin/sh"), Map.of(), "-c", "command -v promtool")
                        .output())
                .isEmpty();
        Path script = copyWithScripts();
        Path calls = directory.resolve("calls");
        Map<String, String> environment = fakeTools(calls);
        program("bin/apt-get", "echo 'no network' >&2\nexit 100\n");

        Ended ended = run(script, environment, "test");

        assertThat(ended.output())
                .contains("No promtool was found (ORTH_PROMTOOL, PATH) and none could be fetched: "
                        + "the tests of the alerts are skipped.")
                .doesNotContain("no network");
        assertThat(calls).content().doesNotContain("orth.promtool");
    }

    /** Stands for whatever a build needs; Maven says how it was called, and does nothing. */
    private Map<String, String> fakeTools(Path calls) throws IOException {
        program("bin/mvn", "echo \"mvn $*\" >> '%s'\n".formatted(calls));
        return Map.of(
                "PATH",
                directory.resolve("bin") + ":" + System.getenv("PATH"),
                "ORTH_BROWSER",
                "/bin/true",
                "ORTH_PGBOUNCER",
                "/bin/true",
                "JAVA_HOME",
                System.getProperty("java.home"));
    }

    /** And it does without the command line. */
    @Test
    void buildsDependenciesOfUpOnce() throws Exception {
        Path script = Files.copy(SCRIPT, directory.resolve("orth"));
        Path maven = directory.resolve("maven.log");
        program("tools/mvn", """
                echo "$@" >> '%s'
                for module in orth-admin orth-standalone orth-launcher; do
                    mkdir -p $module/target && : > $module/target/$module-1-exec.jar
                done
                """.formatted(maven));
        program("jdk/bin/java", """
                case "$*" in *jarmode=tools*) while [ "$1" != --destination ]; do shift; done; mkdir -p "$2" ;; esac
                echo 'openjdk version "25.0.1" 2025-10-21' >&2
                """);
        Map<String, String> environment = Map.of(
                "ORTH_JAVA",
                directory.resolve("jdk/bin/java").toString(),
                "PATH",
                directory.resolve("tools") + ":" + System.getenv("PATH"));

        assertThat(run(script, environment, "up").code()).isZero();
        assertThat(run(script, environment, "up").code()).isZero();

        assertThat(Files.readAllLines(maven)).hasSize(1);
        assertThat(Files.readString(maven)).contains("-pl orth-admin,orth-standalone,orth-launcher -am");
        assertThat(directory.resolve(".orth/built-cli")).doesNotExist();
    }

    /** A copy of the script whose command line is built, and a Java that writes down how it is called. */
    private Path withCli(Path log) throws IOException {
        Path script = Files.copy(
                SCRIPT, Files.createDirectory(directory.resolve("home")).resolve("orth"));
        Files.writeString(script.resolveSibling("pom.xml"), "");
        for (String module : List.of(
                "orth-cli/src/main", "orth-client/src/main", "orth-protocol/src/main", "orth-runtime/src/main")) {
            Files.createDirectories(script.resolveSibling(module));
        }
        Path jar = script.resolveSibling("orth-cli/target/orth-cli-1-exec.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "");
        Files.createDirectories(script.resolveSibling(".orth/data"));
        Files.writeString(script.resolveSibling(".orth/built-cli"), "");
        program("jdk/bin/java", """
                [ "$1" != -version ] || { echo 'openjdk version "25.0.1" 2025-10-21' >&2; exit; }
                { pwd; echo "$ORTH_LOCAL_CREDENTIALS"; for arg; do echo "$arg"; done; } > '%s'
                cat
                exit 7
                """.formatted(log));
        return script;
    }

    @Test
    void runsCliInCallersDirectoryWithoutExposingToken() throws Exception {
        Path log = directory.resolve("java.log");
        Path script = withCli(log);
        Path credentials = script.resolveSibling(".orth/data/credentials.json");
        Files.writeString(credentials, "{\"apiToken\":\"secret\"}");
        Map<String, String> environment =
                Map.of("ORTH_JAVA", directory.resolve("jdk/bin/java").toString());

        Ended ended = run(script, environment, "cli", "queues", "push", "a queue", "@file", "");

        assertThat(ended).isEqualTo(new Ended(7, ""));
        assertThat(Files.readAllLines(log))
                .containsExactly(
                        directory.toRealPath().toString(),
                        credentials.toRealPath().toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-jar",
                        script.resolveSibling("orth-cli/target/orth-cli-1-exec.jar")
                                .toRealPath()
                                .toString(),
                        "queues",
                        "push",
                        "a queue",
                        "@file",
                        "");
    }

    /** A build for the command line does not imply a build of the rest, nor the other way round. */
    @Test
    void rebuildsCliWhenASourceIsNewer() throws Exception {
        Path log = directory.resolve("java.log");
        Path script = withCli(log);
        Path maven = directory.resolve("maven.log");
        program("tools/mvn", "echo \"$@\" >> '%s'\necho nonsense\n".formatted(maven));
        Map<String, String> environment = Map.of(
                "ORTH_JAVA",
                directory.resolve("jdk/bin/java").toString(),
                "PATH",
                directory.resolve("tools") + ":" + System.getenv("PATH"));
        Files.setLastModifiedTime(script.resolveSibling(".orth/built-cli"), FileTime.fromMillis(0));

        Path quiet = program("quiet", "exec '%s' \"$@\" 2>/dev/null\n".formatted(script));

        Ended ended = run(quiet, environment, "cli", "outbox", "list");

        assertThat(ended).isEqualTo(new Ended(7, ""));
        assertThat(Files.readString(maven)).contains("-pl orth-cli -am");
        assertThat(script.resolveSibling(".orth/built")).doesNotExist();
        assertThat(run(script, environment, "cli", "outbox", "list").output()).isEmpty();
        assertThat(Files.readAllLines(maven)).hasSize(1);
    }

    private static long unpacked(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains("jarmode=tools"))
                .count();
    }
}
