package io.orth.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextLimitTest {

    @Test
    void aTextAtTheLimitIsLeftAlone() {
        String text = "x".repeat(TextLimit.STORED.characters());

        assertThat(TextLimit.STORED.cut(text)).isSameAs(text);
        assertThat(TextLimit.STORED.cut(null)).isNull();
    }

    @Test
    void aLongerTextIsCutAndSaysSo() {
        String cut = TextLimit.CALLBACK.cut("x".repeat(50_001));

        assertThat(cut).hasSize(50_000).endsWith("... [cut, 50001 characters in all]");
    }

    @Test
    void aSurrogatePairIsNeverSplit() {
        for (String lead : new String[] {"", "x"}) {
            String cut = TextLimit.STORED.cut(lead + "😀".repeat(20_000));
            String kept = cut.substring(0, cut.indexOf("..."));

            assertThat(Character.isLowSurrogate(kept.charAt(kept.length() - 1))).isTrue();
            assertThat(cut.length()).isLessThanOrEqualTo(TextLimit.STORED.characters());
        }
    }
}
