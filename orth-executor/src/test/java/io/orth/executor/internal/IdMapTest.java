package io.orth.executor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IdMapTest {

    private final IdMap<String> map = new IdMap<>();

    @Test
    void keepsEntriesSeparate() {
        long[] ids = {0, 1, -1, 4096, 8192, 1L << 32, (1L << 32) + 1, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long id : ids) {
            assertThat(map.put(id, "value of " + id)).isNull();
        }

        assertThat(map.size()).isEqualTo(ids.length);
        assertThat(LongStream.of(ids)).allSatisfy(id -> assertThat(map.get(id)).isEqualTo("value of " + id));
        assertThat(map.has(2)).isFalse();
        assertThat(map.get(2)).isNull();
    }

    @Test
    void returnsPreviousValue() {
        map.put(7, "first");

        assertThat(map.put(7, "second")).isEqualTo("first");
        assertThat(map.remove(7)).isEqualTo("second");
        assertThat(map.remove(7)).isNull();
        assertThat(map.isEmpty()).isTrue();
    }
}
