package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.client.OrthClient;
import io.orth.client.OrthQueues;
import io.orth.client.TransactionalQueues;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Conditions of each bean; their behaviour is tested on both Spring Boots. */
@Tag("must-queues")
class OrthClientAutoConfigurationTest {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OrthClientAutoConfiguration.class));

    @Test
    void createsClientIfTokenIsSet() {
        application
                .withPropertyValues("orth.client.admins=http://a:8080,http://b:8080", "orth.client.token=secret")
                .run(context -> {
                    assertThat(context).hasSingleBean(OrthClient.class).hasSingleBean(OrthQueues.class);
                    assertThat(context).doesNotHaveBean(TransactionalQueues.class);
                });
    }

    @Test
    void defaultsToTheExecutorsAdmins() {
        application
                .withPropertyValues("orth.executor.admins=http://a:8080", "orth.client.token=secret")
                .run(context -> assertThat(context).hasSingleBean(OrthClient.class));
    }

    @Test
    void createsNoClientWithoutToken() {
        application
                .withPropertyValues("orth.client.admins=http://a:8080", "orth.client.token=")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(OrthQueues.class));
    }

    @Test
    void aPropertyThatCannotBeUsedIsNamed() {
        application
                .withPropertyValues("orth.client.token=secret", "orth.client.admins=nowhere")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageStartingWith("orth.client.admins must be like"));
        application
                .withPropertyValues("orth.client.token=secret")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessage("orth.client.admins must name at least one admin address"));
    }

    @ParameterizedTest
    @Tag("must-kernel")
    @CsvSource({
        "orth.client.tokn, did you mean orth.client.token?",
        "orth.client.retry, did you mean orth.client.retries?",
        "orth.client.proxy-address, ''",
        "orth.cilent.admins, did you mean orth.client.admins?"
    })
    void misspeltKeyFailsStartAndSuggestsNearest(String key, String hint) {
        application
                .withPropertyValues(key + "=x")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageStartingWith(key + " is not a setting")
                        .hasMessageEndingWith(hint));
    }

    @Test
    @Tag("must-kernel")
    void propertiesOfADisabledExecutorAreNotChecked() {
        application
                .withPropertyValues("orth.executor.enabled=false", "orth.executor.grp=x")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void createsTransactionalQueuesWithDatabase() {
        application
                .withBean(DriverManagerDataSource.class)
                .run(context -> assertThat(context).hasSingleBean(TransactionalQueues.class));
    }

    @Test
    void createsNoTransactionalQueuesWithoutSpringJdbc() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.jdbc"))
                .withPropertyValues("orth.client.token=secret", "orth.client.admins=http://a:8080")
                .run(context ->
                        assertThat(context).hasSingleBean(OrthQueues.class).doesNotHaveBean(TransactionalQueues.class));
    }

    @Test
    void theApplicationsOwnBeansComeFirst() {
        OrthClient own =
                OrthClient.builder().admins("http://own").token("secret").build();
        application
                .withBean(OrthClient.class, () -> own)
                .withPropertyValues("orth.client.token=other")
                .run(context -> assertThat(context.getBean(OrthQueues.class)).isSameAs(own.queues()));
    }
}
