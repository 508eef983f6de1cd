package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextCutTest {

    @Test
    void textThatFitsStaysAsItIs() {
        assertThat(TextCut.to("ab😀", 4)).isEqualTo("ab😀");
        assertThat(TextCut.marked("ab😀", 4)).isEqualTo("ab😀");
    }

    @Test
    void longerTextIsCutToTheLengthWithItsMark() {
        assertThat(TextCut.to("abcdef", 4)).isEqualTo("abcd");
        assertThat(TextCut.marked("abcdef", 4)).isEqualTo("abc…");
    }

    @Test
    void noCharacterIsCutInHalf() {
        assertThat(TextCut.to("ab😀c", 3)).isEqualTo("ab");
        assertThat(TextCut.to("ab😀c", 4)).isEqualTo("ab😀");
        assertThat(TextCut.marked("ab😀cd", 4)).isEqualTo("ab…");
    }
}
