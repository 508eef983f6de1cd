package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
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
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The two ways to write a file of jobs: JSON, and YAML read as narrowly as JSON. */
@Component
class JobText {

    static final MediaType YAML = MediaType.valueOf("application/yaml");

    private static final int DEEPEST = 64;
    private static final int MOST_ALIASES = 20;
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
            Object read = new Yaml(
                            new SafeConstructor(bounds()),
                            new Representer(new DumperOptions()),
                            new DumperOptions(),
                            bounds(),
                            new JsonTypes())
                    .load(new String(text, StandardCharsets.UTF_8));
            return json.valueToTree(read);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw OrthException.invalid("file", "is not valid YAML: line %d: %s".formatted(line, e.getProblem()));
        } catch (YAMLException | JacksonException e) {
            throw OrthException.invalid("file", "is not valid YAML");
        }
    }

    byte[] writeJson(Map<String, Object> tree) {
        return json.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree);
    }

    byte[] writeYaml(Map<String, Object> tree) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setWidth(120);
        options.setSplitLines(false);
        return new Yaml(new SafeConstructor(bounds()), new LinesAsTheyAre(options), options, bounds(), new JsonTypes())
                .dump(tree)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static LoaderOptions bounds() {
        LoaderOptions bounds = new LoaderOptions();
        bounds.setAllowDuplicateKeys(false);
        bounds.setNestingDepthLimit(DEEPEST);
        bounds.setMaxAliasesForCollections(MOST_ALIASES);
        bounds.setCodePointLimit(LONGEST);
        return bounds;
    }

    /** Times stay text, and only true and false are flags: what JSON cannot say is not guessed. */
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
    }

    /** Source text with its lines as they are. */
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
