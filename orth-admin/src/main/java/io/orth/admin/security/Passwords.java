package io.orth.admin.security;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * Password hashing and checking with bcrypt. Concurrency is limited, so that logins cannot take all processors from the scheduler.
 *
 * <p>bcrypt reads at most 72 bytes, so it gets a SHA-256 of the whole password instead. The prefix makes hashes stolen from other systems
 * useless here. Text is normalized first: a password typed on another keyboard is the same password.
 */
final class Passwords {

    static final int LONGEST = 128;
    /** Offset of the salt: a bcrypt hash starts with its version and strength, as in {@code $2a$12$}. */
    private static final int SALT_AT = 7;

    private static final String PREFIX = "orth password\n";
    private static final int MOST_WAITING = 16;
    private static final long LONGEST_WAIT_SECONDS = 5;

    private final BCryptPasswordEncoder bcrypt;
    private final Semaphore lanes;
    /** Hash for names without a user: comparing takes as long and never matches. */
    private final String nobody;

    Passwords(int strength, int lanes) {
        this.bcrypt = new BCryptPasswordEncoder(strength);
        this.lanes = new Semaphore(lanes, true);
        this.nobody = bcrypt.encode(Secrets.token());
    }

    String hash(String password) {
        return inLane(() -> bcrypt.encode(digest(password)));
    }

    boolean matches(String password, String hash) {
        return inLane(() -> bcrypt.matches(digest(password), hash));
    }

    /** Takes as long as {@link #matches}, for a name without a user. */
    void spendTimeOn(String password) {
        matches(password, nobody);
    }

    boolean areOfThisStrength(String hash) {
        return hash.startsWith(nobody.substring(0, SALT_AT));
    }

    static String normalized(String password) {
        return Normalizer.normalize(password, Normalizer.Form.NFC);
    }

    private static String digest(String password) {
        byte[] digest = Secrets.sha256(PREFIX + normalized(password));
        return new String(Base64.getEncoder().encode(digest), StandardCharsets.US_ASCII);
    }

    private <T> T inLane(Supplier<T> work) {
        if (lanes.getQueueLength() >= MOST_WAITING || !enterLane()) {
            throw OrthException.of(ErrorCode.UNAVAILABLE, "too many logins at once");
        }
        try {
            return work.get();
        } finally {
            lanes.release();
        }
    }

    private boolean enterLane() {
        try {
            return lanes.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
