package io.orth.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long a test waits for what has no limit of its own. Awaitility's ten seconds are shorter than a busy machine may stall; a test
 * that passes never waits for all of it. Found by JUnit where the detection of extensions is enabled, as in Orth's own build.
 */
public final class AwaitTimeout implements BeforeAllCallback {

    static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
