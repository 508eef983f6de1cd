package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Formats of job and pipeline files: JSON, and YAML parsed as strictly as JSON. All YAML is parsed here. */
@Component
class JobText {

    static final MediaType YAML = MediaType.valueOf("application/yaml");

    private static final int LONGEST = 16_000_000;

    private final JsonMapper json;

    JobText(JsonMapper json) {
        this.json = json;
    }

    JsonNode readJson(byte[] text) {
        try {
            return json.readTree(text);
        } catch (JacksonException e) {
            throw OrthException.invalid(
                    "file", "cannot be read: " + ProblemField.of(e).message());
        }
    }

    JsonNode readYaml(byte[] text) {
        try {
            String yaml = new String(text, StandardCharsets.UTF_8);
            YamlSize.check(reader().parse(new StringReader(yaml)));
            return json.valueToTree(reader().load(yaml));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw OrthException.invalid("file", "is not valid YAML: line %d: %s".formatted(line, e.getProblem()));
        } catch (YAMLException | JacksonException e) {
            throw OrthException.invalid("file", "is not valid YAML");
        }
    }

    private static Yaml reader() {
        return yaml(new Representer(new DumperOptions()), new DumperOptions());
    }

    private static Yaml yaml(Representer representer, DumperOptions options) {
        return new Yaml(new SafeConstructor(bounds()), representer, options, bounds(), new JsonTypes());
    }

    byte[] writeJson(Map<String, Object> tree) {
        return json.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree);
    }

    byte[] writeYaml(Map<String, Object> tree) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setWidth(120);
        options.setSplitLines(false);
        options.setDereferenceAliases(true);
        return yaml(new LinesAsTheyAre(options), options).dump(tree).getBytes(StandardCharsets.UTF_8);
    }

    private static LoaderOptions bounds() {
        LoaderOptions bounds = new LoaderOptions();
        bounds.setAllowDuplicateKeys(false);
        bounds.setNestingDepthLimit(YamlSize.MAX_DEPTH);
        bounds.setMaxAliasesForCollections(YamlSize.MAX_NODES);
        bounds.setCodePointLimit(LONGEST);
        return bounds;
    }

    /** Resolver of the types that JSON has: times stay text, and only {@code true} and {@code false} are booleans. */
    private static final class JsonTypes extends Resolver {

        private static final Pattern FLAG = Pattern.compile("true|false");

        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.BOOL, FLAG, "tf");
            addImplicitResolver(Tag.INT, INT, "-+0123456789");
            addImplicitResolver(Tag.FLOAT, FLOAT, "-+0123456789.");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }

        /** Treats long values as text: the number patterns would overflow the stack. */
        @Override
        public Tag resolve(NodeId kind, String value, boolean implicit) {
            boolean text = kind == NodeId.scalar && value.length() > YamlSize.MAX_NUMBER_LENGTH;
            return text ? Tag.STR : super.resolve(kind, value, implicit);
        }
    }

    /** Representer that keeps the lines of multi-line text. */
    private static final class LinesAsTheyAre extends Representer {

        LinesAsTheyAre(DumperOptions options) {
            super(options);
        }

        @Override
        protected Node representScalar(Tag tag, String value, ScalarStyle style) {
            boolean lines = Tag.STR.equals(tag) && value.indexOf('\n') >= 0;
            return super.representScalar(tag, value, lines ? ScalarStyle.LITERAL : style);
        }
    }
}
