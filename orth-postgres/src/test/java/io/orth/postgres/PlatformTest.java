package io.orth.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PlatformTest {

    @Test
    void namesTheArchiveOfEverySystemThereAreBinariesFor() {
        assertThat(Platform.of("Linux", "amd64").archive()).isEqualTo("postgres-linux-x86_64.txz");
        assertThat(Platform.of("Linux", "aarch64").archive()).isEqualTo("postgres-linux-arm_64.txz");
        assertThat(Platform.of("Mac OS X", "x86_64").archive()).isEqualTo("postgres-darwin-x86_64.txz");
        assertThat(Platform.of("Mac OS X", "aarch64").archive()).isEqualTo("postgres-darwin-arm_64.txz");
    }

    @Test
    void theArchivesAreOnTheClassPath() {
        for (String system : new String[] {"Linux", "Mac OS X"}) {
            for (String processor : new String[] {"x86_64", "aarch64"}) {
                String archive = Platform.of(system, processor).archive();

                assertThat(getClass().getClassLoader().getResource(archive))
                        .as(archive)
                        .isNotNull();
            }
        }
    }

    @Test
    void suggestsDbUrlOnUnsupportedSystems() {
        assertThatThrownBy(() -> Platform.of("Windows 11", "amd64"))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessage("There is no embedded PostgreSQL for Windows 11 on amd64; "
                        + "run Orth with your own PostgreSQL by --db-url.");
        assertThatThrownBy(() -> Platform.of("Linux", "riscv64")).hasMessageContaining("--db-url");
    }
}
