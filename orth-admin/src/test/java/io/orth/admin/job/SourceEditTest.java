package io.orth.admin.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.OrthException;
import io.orth.protocol.GlueType;
import io.orth.protocol.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceEditTest {

    @Test
    void onlyAShellScriptLosesItsCarriageReturns() {
        SourceEdit edit = new SourceEdit("a\r\nb\r", "", "me", true);

        assertThat(edit.textFor(GlueType.GLUE_SHELL)).isEqualTo("a\nb");
        assertThat(edit.textFor(GlueType.GLUE_POWERSHELL)).isEqualTo("a\r\nb\r");
    }

    @Test
    void rejectsSourceThatIsTooLongOnceEscaped() {
        SourceEdit edit = new SourceEdit("\u001b".repeat(700_000), "", "me", true);

        assertThatThrownBy(() -> edit.textFor(GlueType.GLUE_SHELL))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("glue.source must have at most 1 MB");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"echo \"hi\" \\ $PATH", "a\tb\nc\r", "\u0001\u001b[0m", "naïve 漢字 😀", "</script>\u2028\u007f"})
    void theSizeOnTheWireIsNeverUnderestimated(String text) {
        int asJson = Json.write(Map.of("s", text)).length - "{'s':''}".length();

        assertThat(SourceEdit.wireSize(text)).isGreaterThanOrEqualTo(asJson);
    }
}
