package io.orth.admin.boot;

import io.orth.protocol.ConfigurationKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Check that rejects unknown Orth settings before anything starts: a misspelt key would have no effect. */
@Configuration(proxyBeanMethods = false)
class UnknownSettings {

    private static final String OURS = "orth";

    /** Sources that also hold settings of other Orth programs, such as the command line and the tests. */
    private static final List<String> SHARED = List.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    @Bean
    static BeanFactoryPostProcessor refuseUnknownSettings(ConfigurableEnvironment environment) {
        return beans -> check(environment, known(beans));
    }

    private static ConfigurationKeys known(ConfigurableListableBeanFactory beans) {
        ConfigurationKeys keys = new ConfigurationKeys();
        for (String name : beans.getBeanNamesForAnnotation(ConfigurationProperties.class)) {
            Class<?> type = beans.getType(name, false);
            ConfigurationProperties bound = beans.findAnnotationOnBean(name, ConfigurationProperties.class, false);
            if (type != null && type.isRecord() && bound.value().startsWith(OURS)) {
                keys.add(bound.value(), type);
            }
        }
        return keys;
    }

    private static void check(ConfigurableEnvironment environment, ConfigurationKeys known) {
        List<String> problems = environment.getPropertySources().stream()
                .flatMap(source -> problems(source, known))
                .distinct()
                .toList();
        if (!problems.isEmpty()) {
            throw new StartFailure("the configuration is wrong: " + String.join("; ", problems));
        }
    }

    private static Stream<String> problems(PropertySource<?> source, ConfigurationKeys known) {
        if (!(source instanceof EnumerablePropertySource<?> listed)) {
            return Stream.empty();
        }
        boolean certain = !SHARED.contains(source.getName());
        return Arrays.stream(listed.getPropertyNames())
                .filter(UnknownSettings::isOurs)
                .map(key -> known.problemOf(key, certain))
                .flatMap(Optional::stream);
    }

    private static boolean isOurs(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        return lower.startsWith(OURS + ".") || lower.startsWith(OURS + "_");
    }
}
