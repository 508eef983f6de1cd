package io.orth.admin.xxlimport;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Role;
import io.orth.admin.security.User;
import io.orth.admin.security.Users;
import io.orth.admin.xxlimport.ImportReport.Entry;
import io.orth.admin.xxlimport.ImportReport.Kind;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Imports users. Their password hashes are not accepted by Orth, so users are imported as disabled until an administrator sets a password.
 * No user gets more rights than in XXL-JOB.
 */
final class UserImport {

    private static final int PAGE = 500;
    private static final int PASSWORD_BYTES = 32;
    private static final int FOREIGN_ADMIN = 1;

    private final Users users;
    private final SecureRandom random = new SecureRandom();
    /** Existing users by lower-case name, because names in Orth must differ in more than case. */
    private final Map<String, Long> known = new HashMap<>();

    UserImport(Users users) {
        this.users = users;
    }

    List<Entry> take(List<XxlJobRows.User> rows, Map<Integer, GroupTarget> groups, boolean dryRun) {
        learn();
        return rows.stream().map(row -> take(row, groups, dryRun)).toList();
    }

    private void learn() {
        long after = 0;
        List<User> page;
        do {
            page = users.list(after, PAGE);
            page.forEach(user -> known.put(user.name().toLowerCase(Locale.ROOT), user.id()));
            after = page.isEmpty() ? after : page.get(page.size() - 1).id();
        } while (page.size() == PAGE);
    }

    private Entry take(XxlJobRows.User row, Map<Integer, GroupTarget> groups, boolean dryRun) {
        EntryDraft draft = new EntryDraft(Kind.USER, row.id(), null, Text.line(row.name(), 64));
        Long there = known.get(row.name().toLowerCase(Locale.ROOT));
        if (there != null) {
            return draft.exists(there);
        }
        if (!Users.isName(row.name())) {
            return draft.failed("name must be 1 to 64 letters, digits or . _ @ - and start with a letter or digit");
        }
        Role role = role(row, groups, draft);
        try {
            return draft.created(dryRun ? null : create(row.name(), role));
        } catch (OrthException e) {
            return draft.failed(e.getMessage());
        }
    }

    private static Role role(XxlJobRows.User row, Map<Integer, GroupTarget> groups, EntryDraft draft) {
        if (row.role() == FOREIGN_ADMIN) {
            return Role.ADMIN;
        }
        String permitted = Stream.of(row.permission().split(",", -1))
                .map(String::strip)
                .filter(id -> id.matches("[0-9]{1,9}"))
                .map(id -> groups.containsKey(Integer.valueOf(id))
                        ? groups.get(Integer.valueOf(id)).name()
                        : id)
                .collect(Collectors.joining(", "));
        if (!permitted.isEmpty()) {
            draft.notMapped(
                    "rights for the groups %s: roles hold for all groups here, so the user may only look (VIEWER)"
                            .formatted(permitted));
        }
        return Role.VIEWER;
    }

    /** Creates the user with a random password that is discarded. The password protects the account until it is disabled. */
    private long create(String name, Role role) {
        byte[] password = new byte[PASSWORD_BYTES];
        random.nextBytes(password);
        User made = users.create(name, Base64.getEncoder().encodeToString(password), role);
        users.change(made.id(), new Users.Change(null, false, null));
        known.put(name.toLowerCase(Locale.ROOT), made.id());
        return made.id();
    }
}
