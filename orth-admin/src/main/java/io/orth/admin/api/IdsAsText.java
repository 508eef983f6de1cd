package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.orth.protocol.StateTransition;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * Ids in responses: decimal text, as {@link Ids} reads it. In the records of the API, integers named {@code id}, {@code no} or {@code …Id}
 * are ids. Messages between admins and executors use numbers.
 */
final class IdsAsText {

    private static final Set<Class<?>> INTEGRAL = Set.of(int.class, long.class, Integer.class, Long.class);

    private IdsAsText() {}

    private static boolean isId(RecordComponent component) {
        String name = component.getName();
        return INTEGRAL.contains(component.getType())
                && (name.equals("id") || name.equals("no") || name.endsWith("Id"));
    }

    private static Predicate<RecordComponent> has(Class<? extends Annotation> annotation) {
        return component -> component.getAccessor().isAnnotationPresent(annotation);
    }

    /** Returns the names of the matching properties; none if the type is not a record of the API. */
    private static Set<String> names(Class<?> type, Predicate<RecordComponent> which) {
        boolean shown =
                type.getPackageName().startsWith("io.orth.admin") || type.getNestHost() == StateTransition.class;
        return shown && type.isRecord()
                ? Stream.of(type.getRecordComponents())
                        .filter(which)
                        .map(RecordComponent::getName)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** Serializes ids as text. */
    static final class Writing extends ValueSerializerModifier {

        private static final long serialVersionUID = 1L;

        @Override
        public List<BeanPropertyWriter> changeProperties(
                SerializationConfig config, BeanDescription.Supplier type, List<BeanPropertyWriter> properties) {
            Set<String> ids = names(type.getBeanClass(), IdsAsText::isId);
            properties.stream()
                    .filter(property -> ids.contains(property.getName()))
                    .forEach(property -> property.assignSerializer(ToStringSerializer.instance));
            return properties;
        }
    }

    /** Describes ids as text in the API description, as well as other properties that are not serialized as their type suggests. */
    static final class Describing implements ModelConverter {

        private static final Predicate<RecordComponent> TEXT =
                has(JsonFormat.class).or(IdsAsText::isId);

        @Override
        public Schema<?> resolve(AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> others) {
            Schema<?> schema = others.hasNext() ? others.next().resolve(type, context, others) : null;
            if (schema != null) {
                Class<?> described = Json.mapper().constructType(type.getType()).getRawClass();
                String ref = schema.get$ref();
                Schema<?> model =
                        ref == null ? schema : context.getDefinedModels().get(ref.substring(ref.lastIndexOf('/') + 1));
                names(described, TEXT)
                        .forEach(name -> model.getProperties().replace(name, new JsonSchema().typesItem("string")));
                names(described, has(JsonRawValue.class))
                        .forEach(name -> model.getProperties().replace(name, new JsonSchema()));
            }
            return schema;
        }
    }
}
