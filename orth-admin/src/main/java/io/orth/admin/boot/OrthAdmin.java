package io.orth.admin.boot;

import io.orth.admin.kernel.DatabaseTrouble;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The admin server. */
@SpringBootApplication(scanBasePackages = "io.orth.admin")
public class OrthAdmin {

    private static final int MAX_START_ATTEMPTS = 3;

    /**
     * Ends with a code other than 0 if the start fails. If the database was there and fails while the admin starts, such as during a
     * failover, the start is repeated.
     */
    public static void main(String[] args) {
        for (int attempt = 1; ; attempt++) {
            try {
                new SpringApplication(OrthAdmin.class).run(args);
                return;
            } catch (RuntimeException e) {
                if (attempt == MAX_START_ATTEMPTS || !isLossOfDatabase(e)) {
                    System.exit(1);
                }
                LoggerFactory.getLogger(OrthAdmin.class)
                        .atWarn()
                        .addKeyValue("attempt", attempt)
                        .log("lost the database while starting; starting again");
            }
        }
    }

    /** A database that was never reached is a {@link StartFailure}: waiting for it is left to the connection timeout. */
    private static boolean isLossOfDatabase(RuntimeException failure) {
        return DatabaseTrouble.isCauseOf(failure)
                && Stream.iterate((Throwable) failure, cause -> cause != null, Throwable::getCause)
                        .noneMatch(StartFailure.class::isInstance);
    }
}
