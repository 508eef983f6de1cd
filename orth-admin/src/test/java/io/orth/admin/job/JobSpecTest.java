package io.orth.admin.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobSpecTest {

    private static final String HUNDRED = "x".repeat(100);

    @Test
    void namesLoseTheSpaceAroundThem() {
        JobSpec spec = spec("  nightly report ", "\u00a0 report ".substring(1), "p ");

        assertThat(spec.name()).isEqualTo("nightly report");
        assertThat(spec.handler()).isEqualTo("report");
        assertThat(spec.param()).isEqualTo("p ");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  ", "\t", "two\nlines", "bell\u0007", "nul\0", HUNDRED_AND_MORE})
    void aBadNameAndABadHandlerAreBothNamed(String text) {
        OrthException refusal = rejectionOf(text, text, "");

        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_INPUT);
        assertThat(refusal.fields()).extracting(FieldError::field).containsExactly("name", "handler");
    }

    private static final String HUNDRED_AND_MORE =
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                    + "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                    + "x";

    @Test
    void theLongestNameIsAllowed() {
        assertThat(spec(HUNDRED + HUNDRED, HUNDRED + HUNDRED, "").name()).hasSize(200);
    }

    @Test
    void theLongestParameterIsAllowedAndOneMoreIsNot() {
        String longest = "p".repeat(JobSpec.LONGEST_PARAM);

        assertThat(spec("a", "b", longest).param()).isEqualTo(longest);
        assertThat(rejectionOf("a", "b", longest + "p").fields())
                .extracting(FieldError::field)
                .containsExactly("param");
    }

    @Test
    void rejectsParameterThatTheDatabaseCannotStore() {
        assertThat(rejectionOf("a", "b", "x\0y")).hasMessage("param must not contain the character U+0000");
    }

    private static JobSpec spec(String name, String handler, String param) {
        return JobSpecs.of(name, 1, handler, param, new Schedule.None(), MisfirePolicy.FIRE_ONCE);
    }

    private static OrthException rejectionOf(String name, String handler, String param) {
        return catchThrowableOfType(OrthException.class, () -> spec(name, handler, param));
    }
}
