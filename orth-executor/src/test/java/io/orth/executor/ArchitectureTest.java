package io.orth.executor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** The rules of the house that a machine can hold, for the library that lives in other people's applications. */
class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.orth.executor");

    @Test
    void itKnowsNoFrameworkAndNoAdmin() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "io.orth.admin..", "io.orth.testkit..", "jakarta..")
                .check(MAIN);
    }

    @Test
    void itsPartsHaveNoCycles() {
        slices().matching("io.orth.executor.internal.(*)..")
                .should()
                .beFreeOfCycles()
                .check(MAIN);
    }

    @Test
    void timeComesFromAClock() {
        noClasses()
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDate.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callConstructor(Date.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(MAIN);
    }

    @Test
    void createsThreadsInOneClassOnly() {
        noClasses()
                .should()
                .callConstructor(Thread.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class, String.class)
                .orShould()
                .callConstructor(Thread.class, String.class)
                .check(MAIN);
    }
}
