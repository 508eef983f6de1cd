package io.orth.spring;

import io.orth.protocol.ConfigurationKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Refuses properties of the executor that it does not have: a misspelt one would have no effect. */
final class UnknownExecutorSettings implements BeanFactoryPostProcessor {

    private static final ConfigurationKeys KNOWN =
            new ConfigurationKeys().add(OrthExecutorProperties.PREFIX, OrthExecutorProperties.class);

    /** What is set there may be meant for another program. */
    private static final List<String> SHARED = List.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private final ConfigurableEnvironment environment;

    UnknownExecutorSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        environment.getPropertySources().stream()
                .flatMap(UnknownExecutorSettings::problems)
                .findFirst()
                .ifPresent(problem -> {
                    throw InvalidExecutorPropertyException.unknown(problem);
                });
    }

    private static Stream<String> problems(PropertySource<?> source) {
        if (!(source instanceof EnumerablePropertySource<?> listed)) {
            return Stream.empty();
        }
        boolean certain = !SHARED.contains(source.getName());
        return Arrays.stream(listed.getPropertyNames())
                .filter(UnknownExecutorSettings::isOurs)
                .map(key -> KNOWN.problemOf(key, certain))
                .flatMap(Optional::stream);
    }

    private static boolean isOurs(String key) {
        String dotted = key.toLowerCase(Locale.ROOT).replace('_', '.');
        return dotted.startsWith(OrthExecutorProperties.PREFIX + ".");
    }
}
