package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.RunResult;
import io.orth.executor.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real interpreters: how scripts are called and what their end means. */
@Timeout(60)
class ScriptRunnerTest {

    @TempDir
    Path directory;

    private ScriptRoom scripts;

    @BeforeEach
    void open() {
        scripts = new ScriptRoom(directory);
    }

    @AfterEach
    void leaveNothingBehind() throws IOException {
        scripts.endAll();
    }

    @Test
    @Tag("must-executor")
    void exitZeroIsSuccess() throws Exception {
        assertThat(scripts.shell("echo hello; echo oops >&2; exit 0")).isEqualTo(RunResult.success());
        assertThat(scripts.output()).containsExactly("hello", "oops");
    }

    @Test
    @Tag("must-executor")
    void anyOtherExitValueIsAFailureThatNamesIt() throws Exception {
        assertThat(scripts.shell("echo bad; exit 3")).isEqualTo(RunResult.fail("exit value 3"));
        assertThat(scripts.output()).containsExactly("bad", "exit value 3");
    }

    @Test
    @Tag("must-executor")
    void pythonAndNodeRunForReal() throws Exception {
        RunResult python = scripts.run(
                ScriptLanguage.PYTHON, "import os, sys\nprint(sys.argv[1:], os.environ['ORTH_JOB_PARAM'])", "ü x");
        RunResult node = scripts.run(
                ScriptLanguage.NODE, "console.log(process.argv.slice(2).join('|'), process.env.ORTH_JOB_ID)", "ü x");

        assertThat(python).isEqualTo(RunResult.success());
        assertThat(node).isEqualTo(RunResult.success());
        assertThat(scripts.output()).containsExactly("['ü x', '2', '5'] ü x", "ü x|2|5 7");
    }

    /** PHP and PowerShell may not be there, so a program that writes down how it was called stands in for them. */
    @Test
    @Tag("must-executor")
    void everyLanguageIsCalledTheSameWay() throws Exception {
        for (ScriptLanguage language : ScriptLanguage.values()) {
            scripts.run(ScriptRoom.options(language, recorder()), ScriptRoom.QUICK, language, "source", "-c x");
        }

        String file = directory.resolve("script.").toString();
        assertThat(scripts.output())
                .containsExactly(
                        "called with [" + file + "sh] [-c x] [2] [5]",
                        "called with [" + file + "py] [-c x] [2] [5]",
                        "called with [" + file + "py] [-c x] [2] [5]",
                        "called with [" + file + "js] [-c x] [2] [5]",
                        "called with [" + file + "php] [-c x] [2] [5]",
                        "called with [-NoProfile] [-NonInteractive] [-File] [" + file + "ps1] [-c x] [2] [5]");
    }

    @ParameterizedTest
    @Tag("must-executor")
    @ValueSource(
            strings = {
                "$(touch owned)",
                "`touch owned`",
                "; touch owned",
                "a\ntouch owned",
                "-c",
                "--",
                "'\"\\",
                "*",
                "%PATH%",
                ""
            })
    void aParameterIsNothingButText(String param) throws Exception {
        RunResult result = scripts.run(
                ScriptLanguage.SHELL, "printf '%s' \"$1\" > arg; printf '%s' \"$ORTH_JOB_PARAM\" > var", param);

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(directory.resolve("arg")).hasContent(param);
        assertThat(directory.resolve("var")).hasContent(param);
        assertThat(directory.resolve("owned")).doesNotExist();
    }

    @Test
    @Tag("must-executor")
    void namesMissingInterpreterAndItsSetting() throws Exception {
        RunResult result = scripts.run(
                ScriptRoom.options(ScriptLanguage.PHP, "/no/such/php"), ScriptRoom.QUICK, ScriptLanguage.PHP, "x", "");

        assertThat(result)
                .isEqualTo(RunResult.fail("the interpreter '/no/such/php' was not found on this executor;"
                        + " orth.executor.scripts.php names another one"));
        assertThat(scripts.output()).singleElement().asString().contains("/no/such/php");
    }

    @Test
    void anInterpreterThatIsNoProgramIsNamed() throws Exception {
        Path text = Files.writeString(directory.resolve("readme"), "not a program");

        RunResult result = scripts.run(
                ScriptRoom.options(ScriptLanguage.PHP, text.toString()), ScriptRoom.QUICK, ScriptLanguage.PHP, "x", "");

        assertThat(result.text()).startsWith("the interpreter '" + text + "' cannot be executed by this executor");
    }

    @Test
    void aParameterThatIsTooLongForAProgramIsAClearFailure() throws Exception {
        RunResult result = scripts.run(ScriptLanguage.SHELL, "echo never", "x".repeat(3_000_000));

        assertThat(result)
                .isEqualTo(RunResult.fail("the parameter is too long to be passed to a program: 3,000,000 characters"));
    }

    @Test
    void aParameterThatCannotBeEncodedIsAClearFailure() throws Exception {
        RunResult result = scripts.run(ScriptLanguage.SHELL, "echo never", "half a pair: \uD83C");

        assertThat(result.text()).startsWith("the parameter has characters that cannot be passed to a program");
    }

    private String recorder() throws IOException {
        Path program = directory.resolve("recorder");
        Files.writeString(program, "#!/bin/sh\nprintf 'called with'; printf ' [%s]' \"$@\"; echo\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program.toString();
    }
}
