package io.orth.sample.hydrate;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Needs nobody, and writes the same for the same target and language, at any time and anywhere: whatever the target's title is, and
 * into however many parts it is divided.
 */
final class OfflineGenerator implements ContentGenerator {

    private record Words(String part, List<String> sentences) {}

    private static final Words ENGLISH = new Words(
            "%s, part %d",
            List.of(
                    "%s begins with a question that is easy to ask.",
                    "The idea behind %s is older than its name.",
                    "An example shows more of %s than a definition.",
                    "Whoever has understood %s can explain it to a friend.",
                    "The exercises on %s are meant to be done without help."));

    private static final Map<String, Words> BY_LANGUAGE = Map.of(
            "en",
            ENGLISH,
            "de",
            new Words(
                    "%s, Teil %d",
                    List.of(
                            "%s beginnt mit einer einfachen Frage.",
                            "Der Gedanke hinter %s ist älter als sein Name.",
                            "Ein Beispiel zeigt mehr von %s als eine Definition.",
                            "Wer %s verstanden hat, kann es erklären.",
                            "Die Übungen zu %s gelingen ohne Hilfe.")),
            "zh",
            new Words(
                    "%s（第 %d 部分）",
                    List.of("%s从一个简单的问题开始。", "%s背后的思想比它的名字更古老。", "一个例子比定义更能说明%s。", "理解了%s的人能够讲给朋友听。", "%s的练习应当独立完成。")));

    @Override
    public String version() {
        return "offline-2";
    }

    @Override
    public String generate(Prompt prompt, String traceparent) {
        Words words = BY_LANGUAGE.getOrDefault(prompt.language(), ENGLISH);
        String name = nameOf(prompt.id());
        if (prompt.items() > 0) {
            return IntStream.rangeClosed(1, prompt.items())
                    .mapToObj(number -> words.part().formatted(name, number))
                    .collect(Collectors.joining("\n"));
        }
        // The target decides where to begin, so that not all texts are alike.
        int first = Math.floorMod(
                (prompt.kind() + "/" + prompt.id()).hashCode(),
                words.sentences().size());
        return IntStream.range(0, words.sentences().size())
                .mapToObj(i ->
                        words.sentences().get((first + i) % words.sentences().size()))
                .map(sentence -> sentence.formatted(name))
                .collect(Collectors.joining(" "));
    }

    /** As it can be read: of {@code algebra-1-2} it is "Algebra 1-2". */
    private static String nameOf(String id) {
        String words = id.replaceFirst("-(?=\\d)", " ");
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
