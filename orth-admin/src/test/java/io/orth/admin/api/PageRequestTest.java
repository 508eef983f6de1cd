package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.admin.kernel.OrthException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageRequestTest {

    @Test
    void hasDefaults() {
        assertThat(PageRequest.of(null, null)).isEqualTo(new PageRequest(50, OptionalLong.empty()));
    }

    @Test
    void readsGivenValues() {
        assertThat(PageRequest.of("500", "9007199254740991"))
                .isEqualTo(new PageRequest(500, OptionalLong.of(9007199254740991L)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "501", "1.5", "ten", "99999999999999999999"})
    void rejectsABadLimit(String limit) {
        assertRejected("limit", () -> PageRequest.of(limit, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "x", "1;drop", "99999999999999999999"})
    void rejectsABadCursor(String after) {
        assertRejected("after", () -> PageRequest.of(null, after));
    }

    @Test
    void returnsCursorOnlyIfMoreItemsFollow() {
        PageRequest two = PageRequest.of("2", null);

        assertThat(Page.of(List.of(7L, 8L, 9L), two, id -> id, id -> "item " + id))
                .isEqualTo(new Page<>(List.of("item 7", "item 8"), "8"));
        assertThat(Page.of(List.of(7L, 8L), two, id -> id, id -> "item " + id))
                .isEqualTo(new Page<>(List.of("item 7", "item 8"), null));
        assertThat(Page.of(List.<Long>of(), two, id -> id, id -> "item " + id)).isEqualTo(new Page<>(List.of(), null));
    }

    private static void assertRejected(String field, Runnable call) {
        assertThatExceptionOfType(OrthException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.fields())
                        .singleElement()
                        .satisfies(error -> assertThat(error.field()).isEqualTo(field)));
    }
}
