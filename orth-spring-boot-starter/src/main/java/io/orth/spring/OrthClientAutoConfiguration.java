package io.orth.spring;

import io.orth.client.OrthClient;
import io.orth.client.OrthQueues;
import io.orth.client.TransactionalQueues;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Configures message pushing: over REST if there is a token, and in the application's own transactions if there is a database. */
@AutoConfiguration(
        // The class names in Spring Boot 3 and in Spring Boot 4.
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@EnableConfigurationProperties(OrthClientProperties.class)
public final class OrthClientAutoConfiguration {

    @Bean
    static BeanFactoryPostProcessor orthUnknownClientSettings(ConfigurableEnvironment environment) {
        return new UnknownSettings(OrthClientProperties.PREFIX, environment);
    }

    /** Applies if there is a token. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(HasToken.class)
    static class Rest {

        @Bean
        @ConditionalOnMissingBean
        OrthClient orthClient(OrthClientProperties properties, Environment environment) {
            return properties.toClient(Binder.get(environment)
                    .bind(OrthExecutorProperties.PREFIX + ".admins", Bindable.listOf(String.class))
                    .orElse(List.of()));
        }

        @Bean
        @ConditionalOnMissingBean
        OrthQueues orthQueues(OrthClient client) {
            return client.queues();
        }
    }

    /** Matches if the token is not blank; an empty environment variable counts as no token. */
    static final class HasToken implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !context.getEnvironment()
                    .getProperty(OrthClientProperties.PREFIX + ".token", "")
                    .isBlank();
        }
    }

    /** Applies if there is exactly one database. It is only useful if that is Orth's. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataSourceUtils.class)
    @ConditionalOnSingleCandidate(DataSource.class)
    static class Transactional {

        @Bean
        @ConditionalOnMissingBean
        TransactionalQueues orthTransactionalQueues(DataSource database, OrthClientProperties properties) {
            TransactionalQueues queues = TransactionalQueues.over(work -> {
                Connection connection = DataSourceUtils.getConnection(database);
                try {
                    work.on(connection);
                } finally {
                    DataSourceUtils.releaseConnection(connection, database);
                }
            });
            return queues.schema(properties.schema().strip());
        }
    }
}
