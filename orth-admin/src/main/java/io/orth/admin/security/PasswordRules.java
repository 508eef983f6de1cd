package io.orth.admin.security;

import io.orth.admin.kernel.OrthException;
import java.util.Locale;
import java.util.Set;

/** Rules for acceptable passwords: long enough, and not among the commonly guessed ones. */
final class PasswordRules {

    private static final int SHORTEST = 12;

    /** Common passwords, reduced to their letters. */
    private static final Set<String> COMMON = Set.of(
            "",
            "abc",
            "abcdef",
            "admin",
            "administrator",
            "asdf",
            "asdfghjkl",
            "changeme",
            "changeit",
            "default",
            "defaulttoken",
            "iloveyou",
            "letmein",
            "login",
            "master",
            "orth",
            "orthadmin",
            "passphrase",
            "password",
            "pasword",
            "passwort",
            "qwer",
            "qwert",
            "qwerty",
            "qwertyuiop",
            "qazwsx",
            "qazwsxedc",
            "root",
            "secret",
            "supersecret",
            "system",
            "test",
            "token",
            "user",
            "welcome",
            "xxljob",
            "zaqxsw");

    private PasswordRules() {}

    /** Checks {@code password} for the user {@code name} and returns it normalized. A rejection names {@code field}. */
    static String check(String field, String password, String name) {
        if (password == null) {
            throw OrthException.invalid(field, "is missing");
        }
        if (password.length() > 4 * Passwords.LONGEST) {
            throw OrthException.invalid(field, "must have at most " + Passwords.LONGEST + " characters");
        }
        String normal = Passwords.normalized(password);
        int length = normal.codePointCount(0, normal.length());
        if (length < SHORTEST || length > Passwords.LONGEST) {
            throw OrthException.invalid(field, "must have %d to %d characters".formatted(SHORTEST, Passwords.LONGEST));
        }
        String letters = letters(normal);
        if (isCommon(letters) || normal.codePoints().distinct().count() < 4 || letters.equals(letters(name))) {
            throw OrthException.invalid(field, "is too easy to guess");
        }
        return normal;
    }

    private static boolean isCommon(String letters) {
        String half = letters.substring(0, letters.length() / 2);
        return COMMON.contains(letters) || (letters.equals(half + half) && COMMON.contains(half));
    }

    private static String letters(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("\\P{L}", "");
    }
}
