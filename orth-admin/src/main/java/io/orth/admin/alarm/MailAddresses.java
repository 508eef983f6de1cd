package io.orth.admin.alarm;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Lists of mail addresses. */
final class MailAddresses {

    private static final int MOST = 50;
    private static final int LONGEST = 2_000;

    private MailAddresses() {}

    /** Returns the addresses in canonical form. Fails if one is invalid. */
    static String check(String addresses) {
        if (addresses == null || addresses.isBlank()) {
            throw OrthException.invalid("target", "is missing: give mail addresses, with commas between");
        }
        PlainText.limit("target", addresses, LONGEST);
        return Arrays.stream(parse(addresses)).map(InternetAddress::getAddress).collect(Collectors.joining(", "));
    }

    static InternetAddress[] parse(String addresses) {
        try {
            InternetAddress[] parsed = InternetAddress.parse(addresses, true);
            for (InternetAddress address : parsed) {
                address.validate();
            }
            if (parsed.length == 0 || parsed.length > MOST) {
                throw OrthException.invalid("target", "must have 1 to %d mail addresses".formatted(MOST));
            }
            return parsed;
        } catch (AddressException e) {
            throw OrthException.invalid("target", "has something that is not a mail address: " + e.getMessage());
        }
    }
}
