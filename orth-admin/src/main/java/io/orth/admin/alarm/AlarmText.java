package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.kernel.TextCut;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words of an alarm. Templates have placeholders and nothing else: no expression is ever evaluated. */
final class AlarmText {

    private static final String USUAL = "{{environment}}{{count}} failed: {{job}}\n{{runs}}";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*}}");
    private static final int LONGEST_MESSAGE = 300;
    /** Below what any of the services takes. */
    private static final int LONGEST = 4_000;

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

    /** {@code template} is null for the usual one. It is about runs: alerts on queues have their own words. */
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
        Optional<Told> first = message.runs().stream().findFirst();
        Optional<FailedPipelineRun> pipelines = message.pipelineRuns().stream().findFirst();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("environment", environment(message));
        values.put("channel", message.channel());
        values.put("count", Long.toString(message.count()));
        values.put("job", names(message));
        values.put("group", first.map(Told::group).orElse(""));
        values.put("run", either(first, Told::runId, pipelines, FailedPipelineRun::runId));
        values.put("status", either(first, Told::status, pipelines, run -> "FAILED"));
        values.put(
                "message",
                TextCut.marked(either(first, Told::message, pipelines, FailedPipelineRun::message), LONGEST_MESSAGE));
        values.put("url", either(first, message::urlOf, pipelines, message::urlOf));
        values.put("runs", lines(message));
        return values;
    }

    /** Of the first run of a job or, where there is none, of a pipeline. */
    private static String either(
            Optional<Told> run,
            Function<Told, Object> ofRun,
            Optional<FailedPipelineRun> pipelineRun,
            Function<FailedPipelineRun, Object> ofPipelineRun) {
        Optional<Object> value = run.isPresent() ? run.map(ofRun) : pipelineRun.map(ofPipelineRun);
        return value.map(Object::toString).orElse("");
    }

    private static String environment(AlarmMessage message) {
        return message.environment().isEmpty() ? "" : "[%s] ".formatted(message.environment());
    }

    private static String notices(AlarmMessage message) {
        String lines = message.notices().stream()
                .map(notice -> line(notice, message.urlOf(notice)))
                .collect(Collectors.joining("\n"));
        long more = message.count() - message.notices().size();
        if (message.count() == 1) {
            return lines;
        }
        String all = "%d queue alerts\n%s".formatted(message.count(), lines);
        return more > 0 ? "%s\n… and %d more".formatted(all, more) : all;
    }

    private static String line(AlarmNotice notice, String url) {
        String about = notice.queue() == null ? "" : "queue %s: ".formatted(notice.queue());
        String line = "%s%s (alert %s)".formatted(about, notice.text(), notice.rule());
        return url == null ? line : line + "\n  " + url;
    }

    private static String names(AlarmMessage message) {
        return Stream.concat(
                        message.runs().stream().map(Told::job),
                        message.pipelineRuns().stream().map(FailedPipelineRun::pipeline))
                .distinct()
                .limit(5)
                .collect(Collectors.joining(", "));
    }

    private static String lines(AlarmMessage message) {
        String lines = Stream.concat(
                        message.runs().stream().map(run -> line(run, message.urlOf(run))),
                        message.pipelineRuns().stream().map(run -> line(run, message.urlOf(run))))
                .collect(Collectors.joining("\n"));
        long more =
                message.count() - message.runs().size() - message.pipelineRuns().size();
        return more > 0 ? "%s%n… and %d more".formatted(lines, more) : lines;
    }

    private static String line(Told run, String url) {
        String line = "%s · run %d · %s %d/%d · attempt %d"
                .formatted(run.job(), run.runId(), run.status(), run.triggerCode(), run.handleCode(), run.attempt());
        String said = run.message().isBlank()
                ? ""
                : "\n  " + TextCut.marked(run.message().strip(), LONGEST_MESSAGE);
        return line + said + (url == null ? "" : "\n  " + url);
    }

    private static String line(FailedPipelineRun run, String url) {
        String line = "pipeline %s · run %d · FAILED\n  %s"
                .formatted(run.pipeline(), run.runId(), TextCut.marked(run.message(), LONGEST_MESSAGE));
        return url == null ? line : line + "\n  " + url;
    }
}
