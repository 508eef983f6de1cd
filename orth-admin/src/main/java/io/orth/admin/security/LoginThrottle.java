package io.orth.admin.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Throttle for password guessing, per account and per address, in this node's memory.
 *
 * <p>An address that has logged in to an account before has a separate counter for that account, so that other addresses that guess cannot
 * lock out the owner.
 */
@Component
final class LoginThrottle {

    private static final int MOST_KEYS = 10_000;
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration FORGIVE_EVERY = Duration.ofMinutes(1);

    private final Strikes accounts;
    private final Strikes addresses;
    private final Set<String> familiar = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_KEYS;
        }
    }));

    LoginThrottle(SecurityProperties settings, Clock clock) {
        this.accounts = strikes(settings.loginTries(), settings.loginLongestWait(), clock);
        this.addresses = strikes(settings.loginTriesPerAddress(), settings.loginLongestWait(), clock);
    }

    private static Strikes strikes(int free, Duration longestWait, Clock clock) {
        return new Strikes(new Strikes.Settings(free, FIRST_WAIT, longestWait, FORGIVE_EVERY, MOST_KEYS), clock);
    }

    /** Admits an attempt to log in to {@code account}, or throws {@link TooManyTriesException}. */
    void admit(String account, String address) {
        addresses.admit(network(address));
        accounts.admit(accountKey(account, address));
    }

    /** Admits an attempt that does not concern an account. */
    void admit(String address) {
        addresses.admit(network(address));
    }

    void succeeded(String account, String address) {
        accounts.forget(accountKey(account, address));
        addresses.forgiveOne(network(address));
        familiar.add(pair(account, address));
    }

    void succeeded(String address) {
        addresses.forgiveOne(network(address));
    }

    private String accountKey(String account, String address) {
        String pair = pair(account, address);
        return familiar.contains(pair) ? pair : account.toLowerCase(Locale.ROOT);
    }

    private static String pair(String account, String address) {
        return account.toLowerCase(Locale.ROOT) + " " + network(address);
    }

    /** Returns the address, or for IPv6 its /64 network: one household or server has 2^64 addresses. */
    static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length <= IPV6_NETWORK_BYTES
                    ? address
                    : HexFormat.of().formatHex(bytes, 0, IPV6_NETWORK_BYTES);
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
