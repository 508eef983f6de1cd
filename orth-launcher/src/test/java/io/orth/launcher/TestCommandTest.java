package io.orth.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./orth test} with failing tests, with a Maven and a browser test runner that fail on request. */
@Tag("must-first")
@Timeout(120)
class TestCommandTest {

    private static final Path SCRIPT = Path.of("..", "orth").toAbsolutePath().normalize();

    private record Ended(int code, String output) {

        List<String> lines() {
            return output.lines().map(String::strip).toList();
        }
    }

    @TempDir
    Path directory;

    private Path calls;

    @BeforeEach
    void setUp() throws Exception {
        directory = directory.toRealPath();
        calls = directory.resolve("calls");
        Files.copy(SCRIPT, directory.resolve("orth"));
        Files.createDirectories(directory.resolve("scripts"));
        Files.copy(SCRIPT.resolveSibling("scripts/test.sh"), directory.resolve("scripts/test.sh"));
        Files.writeString(directory.resolve("pom.xml"), """
                <modules>
                    <module>base</module>
                    <module>app</module>
                    <module>other</module>
                    <module>samples/copied</module>
                    <module>orth-standalone</module>
                    <module>orth-launcher</module>
                    <module>orth-admin</module>
                </modules>
                """);
        module("base");
        module("app", "base");
        module("other");
        module("samples/copied");
        module("orth-standalone", "orth-sample-copied");
        module("orth-launcher");
        module("orth-admin", "app");
        Files.createDirectories(directory.resolve("orth-console/node_modules"));
        // Each class of "fails" fails in as many calls as its file says; classes of "passes" pass.
        program("mvn", """
                echo "mvn $*" >> '%1$s/calls'
                [ ! -f '%1$s/broken' ] || exit 1
                only=
                for arg; do case $arg in -Dtest=*) only=${arg#-Dtest=} ;; esac; done
                mkdir -p '%1$s/.orth'; : > '%1$s/.orth/built'
                for spec in $(ls '%1$s/classes' 2>/dev/null); do
                    class=io.orth.$spec
                    [ -z "$only" ] || [ "$only" = "$class" ] || continue
                    left=$(cat "%1$s/classes/$spec"); failures=0
                    if [ "$left" -gt 0 ]; then failures=1; echo $((left - 1)) > "%1$s/classes/$spec"; fi
                    reports='%1$s/app/target/surefire-reports'; mkdir -p "$reports"
                    printf '<?xml version="1.0"?>\\n<testsuite name="%%s" time="%%s" tests="2" errors="0" skipped="0" failures="%%s">\\n</testsuite>\\n' \\
                        "$class" "$(printf %%s "$spec" | tr -dc 0-9 | sed 's/^$/1/').5" "$failures" > "$reports/TEST-$class.xml"
                    echo "attempt with $failures failures" > "$reports/$class.txt"
                done
                case "$*" in *-Dconsole.skip-vitest=true*) ;; *)
                    [ ! -d '%1$s/vitest' ] || (cd '%1$s/orth-console' && npm run --silent test) ;;
                esac
                [ ! -f '%1$s/many' ] || { mkdir -p '%1$s/app/target/surefire-reports'; cp '%1$s/many' '%1$s/app/target/surefire-reports/TEST-many.xml'; }
                """.formatted(directory));
        program("npm", """
                echo "npm $*" >> '%1$s/calls'
                if [ "$3" = test ]; then
                    report=target/surefire-reports/TEST-vitest.xml; only=
                    for arg; do case $arg in --outputFile.junit=*) report=${arg#*=} ;; src/*) only=$arg ;; esac; done
                    mkdir -p target/surefire-reports
                    { echo '<testsuites>'
                      for file in $(ls '%1$s/vitest'); do
                          [ -z "$only" ] || [ "$only" = "src/$file" ] || continue
                          left=$(cat "%1$s/vitest/$file"); failures=0
                          if [ "$left" -gt 0 ]; then failures=1; echo $((left - 1)) > "%1$s/vitest/$file"; fi
                          printf '    <testsuite name="src/%%s" tests="3" failures="%%s" errors="0" skipped="1" time="1">\n    </testsuite>\n' \
                              "$file" "$failures"
                      done
                      echo '</testsuites>'; } > "$report"
                    exit
                fi
                results='%1$s/orth-console/test-results'; mkdir -p "$results/artifacts"
                starts=$(cat '%1$s/failing-starts' 2>/dev/null || echo 0)
                if [ "$starts" -gt 0 ]; then
                    echo $((starts - 1)) > '%1$s/failing-starts'; printf '<testsuites tests="0">\n</testsuites>' > "$results/junit.xml"; exit 1
                fi
                left=$(cat '%1$s/spec' 2>/dev/null || echo 0); failures=0
                if [ "$left" -gt 0 ]; then failures=1; echo $((left - 1)) > '%1$s/spec'; fi
                { echo '<testsuites>'
                  case "$*" in *runs.spec.ts*) ;; *) echo '<testsuite name="jobs.spec.ts" tests="3" failures="0" skipped="0" time="1" errors="0">'; echo '</testsuite>' ;; esac
                  echo '<testsuite name="runs.spec.ts" tests="4" failures="'$failures'" skipped="0" time="2" errors="0">'; echo '</testsuite>'
                  echo '</testsuites>'; } > "$results/junit.xml"
                exit $failures
                """.formatted(directory));
    }

    private void module(String name, String... dependencies) throws IOException {
        Path module = Files.createDirectories(directory.resolve(name));
        StringBuilder pom = new StringBuilder("""
                <parent>
                    <artifactId>orth</artifactId>
                </parent>
                <artifactId>%s</artifactId>
                """.formatted(name.replace("samples/", "orth-sample-")));
        for (String dependency : dependencies) {
            pom.append("<artifactId>%s</artifactId>%n".formatted(dependency));
        }
        Files.writeString(module.resolve("pom.xml"), pom);
        testSource(name, "SomeTest", "class SomeTest {}");
    }

    private void testSource(String module, String name, String source) throws IOException {
        Path test = directory.resolve(
                "%s/src/test/java/io/orth/%s/%s.java".formatted(module, module.replaceAll("[-/]", "_"), name));
        Files.createDirectories(test.getParent());
        Files.writeString(test, source);
    }

    private void commitAll() throws Exception {
        git("init", "-q", "-b", "main");
        git("add", "-A");
        git("commit", "-q", "-m", "all");
    }

    private void program(String name, String source) throws IOException {
        Path program = directory.resolve("bin").resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/bash\n" + source);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A test class that fails so often before it passes. */
    private void testClass(String name, int failures) throws IOException {
        Files.createDirectories(directory.resolve("classes"));
        Files.writeString(directory.resolve("classes").resolve(name), Integer.toString(failures));
    }

    /** A test file of the console, of whose three tests one is skipped and one fails so often before it passes. */
    private void consoleTest(String name, int failures) throws IOException {
        Files.createDirectories(directory.resolve("vitest"));
        Files.writeString(directory.resolve("vitest").resolve(name), Integer.toString(failures));
    }

    private Ended test(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(directory.resolve("orth").toString(), "test"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private Ended run(List<String> command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("ORTH_BROWSER", "/bin/true");
        builder.environment().put("ORTH_PROMTOOL", "/bin/true");
        builder.environment().put("ORTH_PGBOUNCER", "/bin/true");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private void git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"));
        command.addAll(List.of(arguments));
        assertThat(run(command).code()).isZero();
    }

    private List<String> mavenCalls() throws IOException {
        return Files.readAllLines(calls).stream()
                .filter(call -> call.startsWith("mvn"))
                .toList();
    }

    @Test
    void aClassThatFailsOnceIsRepeatedAloneAndListedAsFlaky() throws Exception {
        testClass("OnceTest", 1);
        testClass("GoodTest", 0);

        Ended ended = test();

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.lines())
                .contains(
                        "FLAKY io.orth.OnceTest: failed, then passed alone; its first failure is in "
                                + directory.resolve(".orth/flaky/io.orth.OnceTest"),
                        "11 passed, 0 failed, 0 skipped");
        assertThat(mavenCalls()).hasSize(2);
        assertThat(mavenCalls().get(1))
                .contains("test -T 2", "-pl app -am", "-Dtest=io.orth.OnceTest")
                // Other modules lack the class; those with a foreign parent do not inherit the setting.
                .contains("-Dsurefire.failIfNoSpecifiedTests=false");
        assertThat(directory.resolve(".orth/flaky/io.orth.OnceTest/io.orth.OnceTest.txt"))
                .hasContent("attempt with 1 failures");
    }

    @Test
    void aClassThatFailsTwiceFailsTheRun() throws Exception {
        testClass("TwiceTest", 2);

        Ended ended = test();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output()).doesNotContain("FLAKY");
        assertThat(ended.lines()).contains("8 passed, 1 failed, 0 skipped");
    }

    @Test
    void moreThanThreeFlakyClassesFailTheRun() throws Exception {
        for (int i = 1; i <= 4; i++) {
            testClass("Once%dTest".formatted(i), 1);
        }

        Ended ended = test();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.lines())
                .contains("More than 3 are flaky: this run failed.", "15 passed, 0 failed, 0 skipped")
                .filteredOn(line -> line.startsWith("FLAKY"))
                .hasSize(4);
    }

    @Test
    void tooManyFailuresAreNotRepeated() throws Exception {
        for (int i = 1; i <= 11; i++) {
            testClass("Once%dTest".formatted(i), 1);
        }

        Ended ended = test();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(mavenCalls()).hasSize(1);
        assertThat(ended.output()).contains("none is repeated", "11 failed");
    }

    @Test
    void aBrowserSpecThatFailsOnceIsRepeatedAloneAndListedAsFlaky() throws Exception {
        Files.writeString(directory.resolve("spec"), "1");

        Ended ended = test();

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.lines())
                .contains(
                        "FLAKY runs.spec.ts: failed, then passed alone; its first failure is in "
                                + directory.resolve(".orth/flaky/browser"),
                        "7 passed, 0 failed, 0 skipped");
        assertThat(directory.resolve(".orth/flaky/browser/junit.xml"))
                .content()
                .contains("name=\"runs.spec.ts\" tests=\"4\" failures=\"1\"");
    }

    @Test
    void aBrowserSpecThatFailsTwiceFailsTheRun() throws Exception {
        Files.writeString(directory.resolve("spec"), "2");

        Ended ended = test();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.lines()).contains("6 passed, 1 failed, 0 skipped");
    }

    @Test
    void startsBrowserTestsOnceMoreIfNoSpecRan() throws Exception {
        Files.writeString(directory.resolve("failing-starts"), "1");

        Ended ended = test();

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.lines())
                .contains(
                        "The browser tests ended before the first spec: they are started once more",
                        "7 passed, 0 failed, 0 skipped");
    }

    @Test
    void failsTheRunIfBrowserTestsCannotBeStartedTwice() throws Exception {
        Files.writeString(directory.resolve("failing-starts"), "2");

        Ended ended = test();

        assertThat(ended.code()).isOne();
        assertThat(Files.readAllLines(calls).stream().filter(call -> call.startsWith("npm run e2e")))
                .hasSize(2);
        assertThat(ended.lines())
                .contains("Not all tests ran: the build or the browser tests ended early. This run failed.");
    }

    @Test
    void endsWithItsResultEvenIfDirectoriesVanish() throws Exception {
        program("find", """
                PATH=${PATH#*:} find "$@"
                [ "$1" != '%s' ] || exit 1
                """.formatted(directory));
        testClass("OnceTest", 1);
        testClass("GoodTest", 0);
        commitAll();

        Ended ended = test();
        Ended changed = test("--changed");

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.lines())
                .contains("11 passed, 0 failed, 0 skipped")
                .anyMatch(line -> line.startsWith("FLAKY io.orth.OnceTest"));
        assertThat(changed.code()).as(changed.output()).isZero();
    }

    @Test
    void neitherCountsNorDeletesReportsOfGitAndOfRunningOrth() throws Exception {
        List<Path> reports = new ArrayList<>();
        for (String place : List.of(".git", ".orth/data")) {
            Path reportsOf = Files.createDirectories(directory.resolve(place).resolve("target/surefire-reports"));
            reports.add(Files.writeString(
                    reportsOf.resolve("TEST-its.xml"), "<testsuite name=\"its\" tests=\"5\" failures=\"0\">"));
        }

        Ended ended = test();

        assertThat(ended.lines()).contains("7 passed, 0 failed, 0 skipped");
        assertThat(reports).allSatisfy(report -> assertThat(report).exists());
    }

    @Test
    void countsOnlyConsoleTestsWithTheTag() throws Exception {
        consoleTest("good.test.ts", 0);

        Ended ended = test("--tag", "some-tag");

        assertThat(mavenCalls().get(0)).contains("-Dgroups=some-tag");
        assertThat(ended.lines()).contains("9 passed, 0 failed, 0 skipped");
    }

    @Test
    void repeatsFailedConsoleTestFileAloneAndListsItAsFlaky() throws Exception {
        consoleTest("good.test.ts", 0);
        consoleTest("once.test.ts", 1);

        Ended ended = test();

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.lines())
                .contains(
                        "FLAKY src/once.test.ts: failed, then passed alone; its first failure is in "
                                + directory.resolve(".orth/flaky/src/once.test.ts"),
                        "11 passed, 0 failed, 2 skipped");
        assertThat(mavenCalls()).hasSize(1);
        assertThat(Files.readAllLines(calls))
                .last()
                .asString()
                .startsWith("npm run --silent test -- ")
                .endsWith(" src/once.test.ts");
        assertThat(directory.resolve(".orth/flaky/src/once.test.ts/TEST-vitest.xml"))
                .content()
                .contains("name=\"src/once.test.ts\" tests=\"3\" failures=\"1\"");
    }

    @Test
    void failsTheRunWhenConsoleTestFileFailsTwice() throws Exception {
        consoleTest("good.test.ts", 0);
        consoleTest("twice.test.ts", 2);

        Ended ended = test();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output()).doesNotContain("FLAKY");
        assertThat(ended.lines()).contains("10 passed, 1 failed, 2 skipped");
    }

    @Test
    void repeatsTestClassWithoutTheConsoleTests() throws Exception {
        testClass("OnceTest", 1);
        consoleTest("good.test.ts", 0);

        Ended ended = test();

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(mavenCalls()).hasSize(2);
        assertThat(Files.readAllLines(calls).stream().filter(call -> call.startsWith("npm run --silent test")))
                .hasSize(1);
    }

    @Test
    void buildThatEndsEarlyFailsTheRunAndIsNamedInTheSummary() throws Exception {
        Files.writeString(directory.resolve("broken"), "");

        Ended ended = test();

        assertThat(ended.code()).isOne();
        assertThat(ended.lines())
                .contains("Not all tests ran: the build or the browser tests ended early. This run failed.");
    }

    @Test
    void theTenSlowestAreListed() throws Exception {
        for (int i = 1; i <= 12; i++) {
            testClass("Slow%dTest".formatted(i), 0);
        }

        Ended ended = test();

        assertThat(ended.lines())
                .filteredOn(line -> line.matches("[0-9.]+ s  .*"))
                .hasSize(10)
                .startsWith("12.5 s  io.orth.Slow12Test")
                .endsWith("3.5 s  io.orth.Slow3Test");
    }

    @Test
    void thousandsOfClassesEndTheRunWithItsResult() throws Exception {
        StringBuilder many = new StringBuilder("<testsuites>\n");
        for (int i = 0; i < 20_000; i++) {
            many.append("<testsuite name=\"io.orth.Class%d\" time=\"%d\" tests=\"1\" failures=\"0\" skipped=\"0\">%n"
                    .formatted(i, i));
        }
        Files.writeString(directory.resolve("many"), many);

        Ended ended = test();

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.lines()).contains("20007 passed, 0 failed, 0 skipped");
    }

    @Test
    void runsOnlyTestsAffectedByChange() throws Exception {
        commitAll();
        Files.createDirectories(directory.resolve("base/src/main/java"));
        Files.writeString(directory.resolve("base/src/main/java/Changed.java"), "class Changed {}");

        Ended ended = test("--changed");

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(mavenCalls()).hasSize(1);
        assertThat(mavenCalls().get(0))
                .contains("-Dtest=io.orth.app.SomeTest,io.orth.base.SomeTest,io.orth.orth_admin.SomeTest");
        assertThat(Files.readString(calls)).contains("npm run e2e");
    }

    @Test
    void aChangedTestIsRunItself() throws Exception {
        commitAll();
        testSource("base", "SomeTest", "class SomeTest { int i; }");

        Ended ended = test("--changed");

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(mavenCalls().get(0)).endsWith("-Dtest=io.orth.base.SomeTest");
        assertThat(Files.readString(calls)).doesNotContain("npm");
        assertThat(test("--changed", "--base", "nowhere").output()).contains("'nowhere' is not a revision");
    }

    @Test
    void runsSubclassesOfChangedTest() throws Exception {
        testSource("base", "Middle", "abstract class Middle extends SomeTest {}");
        testSource("base", "PooledTest", "class PooledTest extends Middle {}");
        testSource("base", "AwesomeTest", "class AwesomeTest extends AwesomeBase {}");
        commitAll();
        testSource("base", "SomeTest", "class SomeTest { int i; }");

        test("--changed");

        assertThat(mavenCalls().get(0)).endsWith("-Dtest=io.orth.base.PooledTest,io.orth.base.SomeTest");
    }

    @Test
    void runsDependentsOfModuleInOtherwiseNamedDirectory() throws Exception {
        commitAll();
        Files.writeString(directory.resolve("samples/copied/README"), "changed");

        test("--changed");

        assertThat(mavenCalls().get(0))
                .endsWith("-Dtest=io.orth.orth_standalone.SomeTest,io.orth.samples_copied.SomeTest");
    }

    @Test
    void runsTestsThatModulesShare() throws Exception {
        Files.writeString(directory.resolve("samples/copied/pom.xml"), """
                <artifactId>orth-sample-copied</artifactId>
                <testSourceDirectory>${project.basedir}/../src/test/java</testSourceDirectory>
                """);
        testSource("samples", "SharedTest", "class SharedTest {}");
        commitAll();
        testSource("samples", "Helper", "class Helper {}");

        test("--changed");

        assertThat(mavenCalls().get(0)).endsWith("-Dtest=io.orth.orth_standalone.SomeTest,io.orth.samples.SharedTest");
    }

    @Test
    void runsTestsThatReadAllModulesUnlessOnlyDocsChanged() throws Exception {
        testSource("other", "RootTest", "class RootTest { Path root = Path.of(\"..\"); }");
        testSource("other", "LawTest", "class LawTest { Path law = Path.of(\"..\", module); }");
        testSource("other", "PageTest", "class PageTest { Path page = Path.of(\"..\", \"docs\"); }");
        commitAll();
        Path page = Files.writeString(
                Files.createDirectories(directory.resolve("docs")).resolve("page.md"), "changed");

        test("--changed");

        assertThat(mavenCalls().get(0)).endsWith("-Dtest=io.orth.other.PageTest");

        Files.delete(page);
        testSource("base", "SomeTest", "class SomeTest { int i; }");

        test("--changed");

        assertThat(mavenCalls().get(1))
                .endsWith("-Dtest=io.orth.base.SomeTest,io.orth.other.LawTest,io.orth.other.RootTest");
    }

    @Test
    void runsBrowserTestsAfterChangesOfProgramsStartedByUp() throws Exception {
        commitAll();
        for (String module : List.of("samples/copied", "orth-standalone", "orth-launcher")) {
            Path changed = Files.writeString(directory.resolve(module).resolve("README"), "changed");

            test("--changed");

            assertThat(calls).as(module).content().contains("npm run e2e");
            Files.delete(changed);
            Files.delete(calls);
        }
    }

    @Test
    void runsTestsOfBothModulesAfterFileWasMovedBetweenThem() throws Exception {
        Path before = directory.resolve("samples/copied/Moved.java");
        Files.writeString(before, "class Moved {}".repeat(100));
        commitAll();
        git("mv", before.toString(), directory.resolve("other/Moved.java").toString());

        test("--changed");

        assertThat(mavenCalls().get(0))
                .endsWith(
                        "-Dtest=io.orth.orth_standalone.SomeTest,io.orth.other.SomeTest,io.orth.samples_copied.SomeTest");
    }
}
