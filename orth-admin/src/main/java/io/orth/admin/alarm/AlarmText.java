package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.kernel.TextCut;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Text of an alarm. Templates contain placeholders only; no expression is ever evaluated. */
final class AlarmText {

    private static final String USUAL = "{{environment}}{{count}} failed: {{job}}\n{{runs}}";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*}}");
    private static final int LONGEST_MESSAGE = 300;
    /** Below the message limit of every service. */
    private static final int LONGEST = 4_000;

    /** A failed run of a job or of a pipeline. {@code url} is null if the console's address is not configured. */
    private record Failure(
            String name, String group, String run, String status, String message, String url, String line) {}

    private static final Failure NONE = new Failure("", "", "", "", "", null, "");

    private AlarmText() {}

    static Optional<FieldError> checkTemplate(String template) {
        Map<String, String> known = values(AlarmMessage.ofRuns(0, "", "", 0, List.of()));
        return PLACEHOLDER
                .matcher(template)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !known.containsKey(name))
                .findFirst()
                .map(name -> new FieldError(
                        "template", "has an unknown placeholder '%s'; there are %s".formatted(name, known.keySet())));
    }

    /** Returns the text of a message. {@code template} is null for the default and applies to runs only: alerts have a fixed text. */
    static String of(AlarmMessage message, String template) {
        if (!message.notices().isEmpty()) {
            return TextCut.marked(environment(message) + notices(message), LONGEST);
        }
        Map<String, String> values = values(message);
        String text = PLACEHOLDER
                .matcher(template == null ? USUAL : template)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), "")));
        return TextCut.marked(text, LONGEST);
    }

    private static Map<String, String> values(AlarmMessage message) {
        List<Failure> failures = Stream.concat(
                        message.runs().stream().map(run -> failure(run, message.urlOf(run))),
                        message.pipelineRuns().stream().map(run -> failure(run, message.urlOf(run))))
                .toList();
        Failure first = failures.isEmpty() ? NONE : failures.get(0);
        Map<String, String> values = new LinkedHashMap<>();
        values.put("environment", environment(message));
        values.put("channel", message.channel());
        values.put("count", Long.toString(message.count()));
        values.put(
                "job", failures.stream().map(Failure::name).distinct().limit(5).collect(Collectors.joining(", ")));
        values.put("group", first.group());
        values.put("run", first.run());
        values.put("status", first.status());
        values.put("message", TextCut.marked(first.message(), LONGEST_MESSAGE));
        values.put("url", first.url() == null ? "" : first.url());
        values.put("runs", lines(message, failures.stream().map(Failure::line).toList()));
        return values;
    }

    private static Failure failure(Told run, String url) {
        String line = "%s · run %d · %s %d/%d · attempt %d"
                .formatted(run.job(), run.runId(), run.status(), run.triggerCode(), run.handleCode(), run.attempt());
        String said = run.message().isBlank()
                ? ""
                : "\n  " + TextCut.marked(run.message().strip(), LONGEST_MESSAGE);
        String id = Long.toString(run.runId());
        return new Failure(run.job(), run.group(), id, run.status(), run.message(), url, linked(line + said, url));
    }

    private static Failure failure(FailedPipelineRun run, String url) {
        String line = "pipeline %s · run %d · FAILED\n  %s"
                .formatted(run.pipeline(), run.runId(), TextCut.marked(run.message(), LONGEST_MESSAGE));
        String id = Long.toString(run.runId());
        return new Failure(run.pipeline(), "", id, "FAILED", run.message(), url, linked(line, url));
    }

    private static String environment(AlarmMessage message) {
        return message.environment().isEmpty() ? "" : "[%s] ".formatted(message.environment());
    }

    private static String notices(AlarmMessage message) {
        List<String> lines = message.notices().stream()
                .map(notice -> line(notice, message.urlOf(notice)))
                .toList();
        String all = lines(message, lines);
        return message.count() == 1 ? all : "%d queue alerts\n%s".formatted(message.count(), all);
    }

    private static String line(AlarmNotice notice, String url) {
        String about = notice.queue() == null ? "" : "queue %s: ".formatted(notice.queue());
        return linked("%s%s (alert %s)".formatted(about, notice.text(), notice.rule()), url);
    }

    private static String lines(AlarmMessage message, List<String> lines) {
        String all = String.join("\n", lines);
        long more = message.count() - lines.size();
        return more > 0 ? "%s\n… and %d more".formatted(all, more) : all;
    }

    private static String linked(String text, String url) {
        return url == null ? text : text + "\n  " + url;
    }
}
