package io.orth.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The library lives in other people's applications, so it brings nothing along but the protocol and the runtime. */
class ArchitectureTest {

    @Test
    void itKnowsTheJdkTheProtocolAndTheRuntimeOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "io.orth.client", "io.orth.protocol", "io.orth.runtime")
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.orth.client"));
    }
}
