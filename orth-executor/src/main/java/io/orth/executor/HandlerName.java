package io.orth.executor;

/** Validates handler names. The admin accepts and stores every name that passes. */
final class HandlerName {

    private static final int LONGEST = 200;

    private HandlerName() {}

    /**
     * @param owner the named object, for the error message
     * @throws IllegalArgumentException with the violated rule
     */
    static void check(String name, Object owner) {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("%s needs a name".formatted(owner));
        }
        if (name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "the name of %s has %d characters, %d are allowed".formatted(owner, name.length(), LONGEST));
        }
        if (!name.codePoints().allMatch(HandlerName::isPrintable)) {
            throw new IllegalArgumentException("the name of %s contains characters that do not print".formatted(owner));
        }
        if (!name.equals(name.strip())) {
            throw new IllegalArgumentException(
                    "the name of %s, '%s', begins or ends with a space".formatted(owner, name));
        }
    }

    /** Rejects control and format characters, unpaired surrogates, and all spaces except the ordinary one. */
    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
