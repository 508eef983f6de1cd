package io.orth.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The program is a user of the client like any other. */
class ArchitectureTest {

    @Test
    void itKnowsTheClientAndTheProtocolOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "picocli", "io.orth.cli", "io.orth.client", "io.orth.protocol")
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.orth.cli"));
    }
}
