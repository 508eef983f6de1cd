package io.orth.admin.api;

import io.swagger.v3.core.converter.ModelConverter;
import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/** Strict JSON for the API: everything that is not understood exactly is rejected, and all input is bounded. Ids are text. */
@Configuration(proxyBeanMethods = false)
class StrictJsonConfiguration {

    private static final int DEEPEST = 64;
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_NUMBER = 50;

    @Bean
    JsonFactoryBuilderCustomizer boundedJson() {
        return factory -> factory.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEEPEST)
                        .maxNameLength(LONGEST_NAME)
                        .maxNumberLength(LONGEST_NUMBER)
                        .build());
    }

    @Bean
    JacksonModule idsAsText() {
        return new SimpleModule("ids-as-text").setSerializerModifier(new IdsAsText.Writing());
    }

    @Bean
    ModelConverter idsDescribedAsText() {
        return new IdsAsText.Describing();
    }

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return mapper -> mapper.enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(LogicalType.Textual, config -> {
                    config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                    config.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                    config.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                });
    }
}
