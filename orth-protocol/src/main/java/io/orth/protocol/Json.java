package io.orth.protocol;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.ByteArrayBuilder;

/** Conversion between JSON text and trees of maps and lists; limits depth and the length of numbers and names. */
public final class Json {

    private static final int MAX_DEPTH = 64;
    private static final int MAX_NUMBER_LENGTH = 100;
    private static final int MAX_NAME_LENGTH = 1_000;
    private static final int MAX_TEXT_LENGTH = 16 * 1024 * 1024;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxNameLength(MAX_NAME_LENGTH)
                    .maxStringLength(MAX_TEXT_LENGTH)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final JsonFactory LINES =
            FACTORY.rebuild().rootValueSeparator("\n").build();

    private Json() {}

    public static JsonObject readObject(byte[] text) {
        return JsonObject.of(read(text), "the message");
    }

    public static List<JsonObject> readArray(byte[] text) {
        return JsonObject.listOf(read(text), "the message");
    }

    /** Returns the value as maps, lists, strings, numbers and booleans. */
    public static Object read(byte[] text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            return JsonTree.read(parser);
        } catch (JacksonException e) {
            throw new WireFormatException("not valid JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Writes a tree of maps, collections, texts, numbers and booleans; map entries with a null value are omitted. */
    public static byte[] write(Object tree) {
        ByteArrayBuilder text = new ByteArrayBuilder();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            JsonTree.write(json, tree);
        }
        return text.toByteArray();
    }

    /** Writes one object per line. */
    static <T> byte[] lines(Collection<T> items, BiConsumer<T, FieldSink> fields) {
        ByteArrayBuilder lines = new ByteArrayBuilder();
        try (JsonGenerator json = LINES.createGenerator(ObjectWriteContext.empty(), lines)) {
            FieldSink sink = new JsonFields(json);
            for (T item : items) {
                json.writeStartObject();
                fields.accept(item, sink);
                json.writeEndObject();
            }
        }
        lines.write('\n');
        return lines.toByteArray();
    }

    public static byte[] write(WireMessage message) {
        return message instanceof ToldMessage told ? write(told) : write(message.toJson());
    }

    private static byte[] write(ToldMessage message) {
        ByteArrayBuilder text = new ByteArrayBuilder();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            new JsonFields(json).write(message);
        }
        return text.toByteArray();
    }

    public static byte[] write(List<? extends WireMessage> messages) {
        List<Map<String, Object>> trees =
                messages.stream().map(WireMessage::toJson).toList();
        return write((Object) trees);
    }
}
