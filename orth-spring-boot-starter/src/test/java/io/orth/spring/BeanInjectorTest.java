package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.GlueInjector;
import io.orth.testkit.FakeAdmin;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class BeanInjectorTest {

    /** As a handler made from source text is: an object that Spring knows nothing about. */
    static final class Stranger {

        @Autowired
        private StringBuilder bean;

        @Value("${orth.executor.group}")
        private String group;
    }

    @TempDir
    Path directory;

    @Test
    @Tag("must-executor")
    void injectsBeansIntoForeignObject() {
        try (FakeAdmin admin = FakeAdmin.start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(OrthExecutorAutoConfiguration.class))
                    .withPropertyValues(
                            "orth.executor.group=tests",
                            "orth.executor.admins=" + admin.address(),
                            "orth.executor.access-token=" + FakeAdmin.TOKEN,
                            "orth.executor.log-path=" + directory)
                    .withBean(StringBuilder.class, () -> new StringBuilder("a bean"))
                    .run(context -> {
                        Stranger stranger = new Stranger();

                        context.getBean(GlueInjector.class).inject(stranger);

                        assertThat(stranger.bean).hasToString("a bean");
                        assertThat(stranger.group).isEqualTo("tests");
                    });
        }
    }
}
