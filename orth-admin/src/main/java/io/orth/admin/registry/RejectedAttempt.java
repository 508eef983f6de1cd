package io.orth.admin.registry;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.orth.admin.kernel.TextCut;
import java.util.regex.Pattern;

/**
 * One rejected registration. All texts are bounded and contain no secrets, whatever the caller sent. Group name and address are empty if
 * the caller sent none.
 */
public record RejectedAttempt(
        String peer,
        @JsonIgnore String groupName,
        @JsonIgnore String address,
        RejectionReason reason,
        String message) {

    private static final int MAX_PEER_LENGTH = 64;
    private static final int MAX_NAME_LENGTH = 64;
    private static final int MAX_LENGTH = 300;

    /** Minimum length of a token to be masked: a shorter one may be part of ordinary text. */
    private static final int MIN_TOKEN_LENGTH = 6;

    private static final String HIDDEN = "***";
    private static final Pattern GROUP_TOKEN = Pattern.compile("orthg_[A-Za-z0-9_-]*");
    private static final Pattern USER_INFO = Pattern.compile("//[^/]*@");

    public RejectedAttempt {
        peer = clean(peer, MAX_PEER_LENGTH);
        groupName = clean(groupName, MAX_NAME_LENGTH);
        address = clean(address, MAX_LENGTH);
        message = clean(message, MAX_LENGTH);
    }

    /** Returns this attempt with the caller's token masked in all texts. {@code token} is null if the caller presented none. */
    public RejectedAttempt without(String token) {
        if (token == null || token.length() < MIN_TOKEN_LENGTH) {
            return this;
        }
        return new RejectedAttempt(
                peer,
                groupName.replace(token, HIDDEN),
                address.replace(token, HIDDEN),
                reason,
                message.replace(token, HIDDEN));
    }

    private static String clean(String text, int maxLength) {
        StringBuilder line = new StringBuilder();
        (text.length() > MAX_LENGTH * 2 ? text.substring(0, MAX_LENGTH * 2) : text)
                .codePoints()
                .forEach(c -> line.appendCodePoint(isPlain(c) ? c : ' '));
        String hidden = USER_INFO
                .matcher(GROUP_TOKEN.matcher(line.toString().strip()).replaceAll("orthg_" + HIDDEN))
                .replaceAll("//" + HIDDEN + "@");
        return TextCut.marked(hidden, maxLength);
    }

    /**
     * Returns whether {@code c} is neither a control character, nor a format character (such as one that changes the text direction), nor a
     * surrogate.
     */
    private static boolean isPlain(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL && type != Character.FORMAT && type != Character.SURROGATE;
    }
}
