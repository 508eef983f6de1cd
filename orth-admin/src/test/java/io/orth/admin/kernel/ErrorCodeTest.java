package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.ReferencePage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {

    @Test
    void theReferenceListsEveryCodeWithItsStatusAndOwner() {
        List<List<String>> codes = Arrays.stream(ErrorCode.values())
                .map(code -> List.of(
                        code.name(),
                        Integer.toString(code.status()),
                        code.owner().name().toLowerCase(Locale.ROOT)))
                .toList();

        assertThat(ReferencePage.rows("errors.md"))
                .allSatisfy(row -> assertThat(row.get(3)).isNotBlank())
                .extracting(row -> row.subList(0, 3))
                .isEqualTo(codes);
    }

    @Test
    void eachStatusHasOneCode() {
        assertThat(ErrorCode.values()).extracting(ErrorCode::status).doesNotHaveDuplicates();
    }
}
