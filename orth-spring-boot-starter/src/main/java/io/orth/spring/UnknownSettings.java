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

/**
 * Rejects unknown properties below the starter's prefixes; a misspelled one would have no effect. Elsewhere below {@code orth.},
 * where an application may have its own properties, it rejects only those that closely resemble one of the starter's, such as
 * {@code orth.executer.group}.
 */
final class UnknownSettings implements BeanFactoryPostProcessor {

    private static final String ORTH = "orth.";

    private static final List<String> PREFIXES = List.of(OrthExecutorProperties.PREFIX, OrthClientProperties.PREFIX);

    private static final ConfigurationKeys KNOWN = new ConfigurationKeys()
            .add(OrthExecutorProperties.PREFIX, OrthExecutorProperties.class)
            .add(OrthClientProperties.PREFIX, OrthClientProperties.class);

    /** Properties from these sources may be meant for another program. */
    private static final List<String> SHARED = List.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private final String prefix;
    private final ConfigurableEnvironment environment;

    UnknownSettings(String prefix, ConfigurableEnvironment environment) {
        this.prefix = prefix;
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        environment.getPropertySources().stream()
                .flatMap(this::problems)
                .findFirst()
                .ifPresent(problem -> {
                    throw new UnknownSettingException(problem);
                });
    }

    private Stream<String> problems(PropertySource<?> source) {
        if (!(source instanceof EnumerablePropertySource<?> listed)) {
            return Stream.empty();
        }
        boolean ours = !SHARED.contains(source.getName());
        return Arrays.stream(listed.getPropertyNames())
                .map(key -> problemOf(key, ours))
                .flatMap(Optional::stream);
    }

    private Optional<String> problemOf(String key, boolean ours) {
        String dotted = key.toLowerCase(Locale.ROOT).replace('_', '.');
        if (isBelow(prefix, dotted)) {
            return KNOWN.problemOf(key, ours);
        }
        boolean elsewhere = dotted.startsWith(ORTH) && PREFIXES.stream().noneMatch(known -> isBelow(known, dotted));
        return elsewhere ? KNOWN.problemOf(key, false) : Optional.empty();
    }

    private static boolean isBelow(String prefix, String key) {
        return key.startsWith(prefix + ".");
    }
}
