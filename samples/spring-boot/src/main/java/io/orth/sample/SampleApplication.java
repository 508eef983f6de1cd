package io.orth.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An ordinary Spring Boot application; the starter on its class path makes it an executor. */
@SpringBootApplication
public class SampleApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(SampleApplication.class, arguments);
    }
}
