package io.orth.admin.boot;

import io.orth.admin.kernel.Ticker;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The admin server. */
@SpringBootApplication(scanBasePackages = "io.orth.admin")
public class OrthAdmin {

    /** Starts the admin. A failed start is retried if {@link StartAttempts} allows it; otherwise the process exits with code 1. */
    public static void main(String[] args) {
        StartAttempts attempts = new StartAttempts(Ticker.system());
        while (true) {
            try {
                new SpringApplication(OrthAdmin.class).run(args);
                return;
            } catch (RuntimeException e) {
                if (!attempts.isWorthAnother(e)) {
                    System.exit(1);
                }
                LoggerFactory.getLogger(OrthAdmin.class).warn("lost the database while starting; starting again");
            }
        }
    }
}
