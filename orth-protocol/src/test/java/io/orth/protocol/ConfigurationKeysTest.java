package io.orth.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-kernel")
class ConfigurationKeysTest {

    record Mail(String host, int port) {}

    record Settings(String url, int poolSize, List<String> origins, Map<String, Mail> webhooks, Mail mail) {}

    private final ConfigurationKeys keys = new ConfigurationKeys().add("orth.shop", Settings.class);

    @Test
    void everySpellingOfAKeyIsKnown() {
        assertThat(List.of(
                        "orth.shop.url",
                        "orth.shop.pool-size",
                        "orth.shop.poolSize",
                        "ORTH_SHOP_POOLSIZE",
                        "ORTH_SHOP_POOL_SIZE",
                        "orth.shop.origins",
                        "orth.shop.origins[0]",
                        "ORTH_SHOP_ORIGINS_0",
                        "orth.shop.webhooks.billing.host",
                        "orth.shop.mail.host"))
                .allSatisfy(key -> assertThat(keys.problemOf(key, true)).isEmpty());
    }

    @Test
    void theNearestIsNamed() {
        Map<String, String> nearest = Map.of(
                "orth.shop.urll", "orth.shop.url",
                "orth.shop.pol-size", "orth.shop.pool-size",
                "orth.shpo.pool-size", "orth.shop.pool-size",
                "orth.shop.mail.hosts", "orth.shop.mail.host",
                "orth.shop.originss", "orth.shop.origins",
                "ORTH_SHOP_POOLSIZES", "orth.shop.pool-size");

        assertThat(nearest)
                .allSatisfy((key, meant) -> assertThat(keys.problemOf(key, false))
                        .contains("%s is not a setting; did you mean %s?".formatted(key, meant)));
    }

    @Test
    void rejectsUnknownKeysOnlyFromOwnSources() {
        assertThat(keys.problemOf("orth.shop.colour-of-the-door", true))
                .contains("orth.shop.colour-of-the-door is not a setting");
        assertThat(keys.problemOf("ORTH_JAVA", false)).isEmpty();
        assertThat(keys.problemOf("orth.full", false)).isEmpty();
    }

    @Test
    void rejectsHostileKeys() {
        assertThat(List.of(
                        "orth.shop.",
                        "orth.shop.\u0000",
                        "orth.shop.'; drop table x --",
                        "orth.shop." + "x".repeat(1_000_000)))
                .allSatisfy(key -> assertThat(keys.problemOf(key, true)).isPresent());
    }
}
