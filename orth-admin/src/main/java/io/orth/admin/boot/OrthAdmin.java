package io.orth.admin.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The admin server. */
@SpringBootApplication(scanBasePackages = "io.orth.admin")
public class OrthAdmin {

    /** Ends with a code other than 0 if the start fails. */
    public static void main(String[] args) {
        try {
            new SpringApplication(OrthAdmin.class).run(args);
        } catch (RuntimeException e) {
            System.exit(1);
        }
    }
}
