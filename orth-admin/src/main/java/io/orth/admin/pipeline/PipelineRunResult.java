package io.orth.admin.pipeline;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.protocol.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The result of a pipeline run as a whole, and links to what the run produced.
 *
 * @param result JSON; null for none
 */
public record PipelineRunResult(String result, List<Link> links) {

    static final PipelineRunResult NONE = new PipelineRunResult(null, List.of());

    private static final int MAX_RESULT_BYTES = 8_192;
    private static final int MAX_LINKS = 20;
    private static final int MAX_NAME = 100;
    private static final int MAX_URL = 2_000;
    private static final int MAX_SHOWN = 100;
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /** A URL with a display name. */
    public record Link(String name, String url) {}

    public PipelineRunResult {
        links = List.copyOf(links);
    }

    /** @throws OrthException if it exceeds a limit or a link is invalid */
    PipelineRunResult checked() {
        if (result != null) {
            int bytes = result.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_RESULT_BYTES) {
                throw OrthException.invalid(
                        "result",
                        "must be JSON of at most %d bytes, got %d; store large results elsewhere and link to them"
                                .formatted(MAX_RESULT_BYTES, bytes));
            }
            if (!JsonText.fits(result, MAX_RESULT_BYTES)) {
                throw OrthException.invalid("result", "must be valid JSON without NUL characters");
            }
        }
        if (links.size() > MAX_LINKS) {
            throw OrthException.invalid("links", "must be at most %d, got %d".formatted(MAX_LINKS, links.size()));
        }
        for (int i = 0; i < links.size(); i++) {
            check("links[%d]".formatted(i), links.get(i));
        }
        return this;
    }

    private static void check(String field, Link link) {
        PlainText.require(field + ".name", link.name(), MAX_NAME);
        if (link.url() == null || link.url().length() > MAX_URL || !isWebAddress(link.url())) {
            throw OrthException.invalid(
                    field + ".url",
                    "must be an http or https URL of at most %d characters, got '%s'"
                            .formatted(MAX_URL, shown(link.url())));
        }
    }

    private static String shown(String url) {
        return url == null || url.length() <= MAX_SHOWN ? url : url.substring(0, MAX_SHOWN) + "…";
    }

    private static boolean isWebAddress(String url) {
        try {
            URI uri = new URI(url);
            return uri.getHost() != null && SCHEMES.contains(String.valueOf(uri.getScheme()));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Returns the links as JSON; null if there are none. */
    String linksText() {
        return links.isEmpty()
                ? null
                : JsonText.of(links.stream()
                        .map(link -> Map.of("name", link.name(), "url", link.url()))
                        .toList());
    }

    static PipelineRunResult read(String result, String links) {
        if (links == null) {
            return result == null ? NONE : new PipelineRunResult(result, List.of());
        }
        return new PipelineRunResult(
                result,
                Json.readArray(links.getBytes(StandardCharsets.UTF_8)).stream()
                        .map(link -> new Link(link.requiredText("name"), link.requiredText("url")))
                        .toList());
    }
}
