package io.orth.admin.deadletter;

import io.orth.admin.kernel.Sha256;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Hash of the common part of failures of one kind: the error without its variable parts, and the application's stack frame. */
final class Fingerprint {

    private static final int BYTES = 8;

    /** UUIDs, numbers written as 0x…, and hexadecimal words of eight digits or more. */
    private static final Pattern ID = Pattern.compile("\\b0[xX]\\p{XDigit}+|"
            + "\\p{XDigit}{8}-(?:\\p{XDigit}{4}-){3}\\p{XDigit}{12}|\\b(?=\\p{XDigit}*\\d)\\p{XDigit}{8,}\\b");

    private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern LINE_NUMBER = Pattern.compile("\\(.*\\)");

    /** Stack frames outside the application's code. */
    private static final Pattern NOT_THE_APPLICATIONS = Pattern.compile(
            "at (?:[\\w.@/]+//?)?(?:java|javax|jdk|sun|com\\.sun|io\\.orth\\.executor|org\\.springframework)\\..*");

    private Fingerprint() {}

    static String of(String error, String stack) {
        String text =
                NUMBER.matcher(QUOTED.matcher(ID.matcher(error).replaceAll("#")).replaceAll("#"))
                                .replaceAll("#")
                        + "\n"
                        + frameOf(stack).orElse("");
        return HexFormat.of().formatHex(Sha256.of(text), 0, BYTES);
    }

    private static Optional<String> frameOf(String stack) {
        if (stack == null) {
            return Optional.empty();
        }
        return stack.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("at "))
                .filter(line -> !NOT_THE_APPLICATIONS.matcher(line).matches())
                .findFirst()
                .map(line -> LINE_NUMBER.matcher(line).replaceAll(""));
    }
}
