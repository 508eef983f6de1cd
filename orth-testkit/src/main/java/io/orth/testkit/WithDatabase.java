package io.orth.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lets tests take a {@link TestDatabase} or its {@link javax.sql.DataSource} as a parameter; each test gets its own. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DatabaseParameter.class)
public @interface WithDatabase {}
