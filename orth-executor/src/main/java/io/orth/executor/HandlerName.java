package io.orth.executor;

/** The rule for handlers' names: what the admin accepts and keeps as it is. */
final class HandlerName {

    private static final int LONGEST = 200;

    private HandlerName() {}

    /**
     * @param owner what has the name, for the message
     * @throws IllegalArgumentException saying what is wrong with it
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

    /** Neither a control or format character nor half of a surrogate pair, and no space but the ordinary one. */
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
