package io.orth.admin.xxlimport;

import io.orth.admin.job.Routing;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorAddress;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Groups;
import io.orth.admin.xxlimport.ImportReport.Entry;
import io.orth.admin.xxlimport.ImportReport.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Imports executor groups. A group's app name becomes its name, because executors register under it. */
final class GroupImport {

    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_TITLE = 200;
    private static final Pattern NOT_IN_NAMES = Pattern.compile("[^A-Za-z0-9._-]");
    private static final Pattern NOT_FIRST = Pattern.compile("^[._-]+");
    private static final Pattern BETWEEN_ADDRESSES = Pattern.compile("[,\\s]+");

    private final Groups groups;
    private final boolean dryRun;
    private final Consumer<Entry> report;
    /** App names by group name in Orth. */
    private final Map<String, String> appNames = new HashMap<>();

    private final Set<String> taken = new HashSet<>();

    GroupImport(Groups groups, boolean dryRun, Consumer<Entry> report) {
        this.groups = groups;
        this.dryRun = dryRun;
        this.report = report;
    }

    /** Returns the groups that exist after the import, by their id in XXL-JOB. */
    Map<Integer, GroupTarget> take(List<XxlJobRows.Group> rows) {
        Map<Integer, GroupTarget> targets = new HashMap<>();
        for (XxlJobRows.Group row : rows) {
            String name = nameFor(row);
            EntryDraft draft = new EntryDraft(Kind.GROUP, row.id(), null, name);
            if (!name.equals(row.appName())) {
                draft.changed("app name '%s' is '%s' here: executors must use that as their appname"
                        .formatted(Text.shown(row.appName()), name));
            }
            List<String> addresses = addresses(row, draft);
            try {
                targets.put(row.id(), new GroupTarget(take(row, name, draft), name, row.appName(), addresses));
            } catch (OrthException e) {
                report.accept(draft.failed(e.getMessage()));
            }
        }
        return targets;
    }

    /** Returns the group's id in Orth; null if a dry run would create it. */
    private Integer take(XxlJobRows.Group row, String name, EntryDraft draft) {
        Optional<Integer> there =
                groups.list(name, 0, 1).stream().map(ExecutorGroup::id).findFirst();
        if (!taken.add(name)) {
            draft.changed("is one with the group of the same app name");
        } else if (there.isEmpty()) {
            Integer id = dryRun
                    ? null
                    : (Integer) groups.create(name, title(row, name)).id();
            report.accept(draft.created(asLong(id)));
            return id;
        }
        report.accept(draft.joins(asLong(there.orElse(null))));
        return there.orElse(null);
    }

    private static Long asLong(Integer id) {
        return id == null ? null : id.longValue();
    }

    private static String title(XxlJobRows.Group row, String name) {
        String title = Text.line(row.title(), LONGEST_TITLE);
        return title.isEmpty() ? name : title;
    }

    /** Returns the app name if it is a valid group name; otherwise a similar unused name. */
    private String nameFor(XxlJobRows.Group row) {
        String legal = NOT_FIRST
                .matcher(NOT_IN_NAMES.matcher(row.appName()).replaceAll("-"))
                .replaceFirst("");
        String plain = legal.isEmpty() ? "group" : Text.cut(legal, LONGEST_NAME);
        String name = legal.isEmpty() ? "group-%d".formatted(row.id()) : plain;
        for (int i = 0; !row.appName().equals(appNames.computeIfAbsent(name, free -> row.appName())); i++) {
            String suffix = "-%d".formatted(row.id()) + "-".repeat(i);
            name = Text.cut(plain, LONGEST_NAME - suffix.length()) + suffix;
        }
        return name;
    }

    /** Returns the addresses of a group whose executors do not register themselves in XXL-JOB. */
    private static List<String> addresses(XxlJobRows.Group row, EntryDraft draft) {
        if (!row.manual()) {
            return List.of();
        }
        Set<String> addresses = new LinkedHashSet<>();
        for (String each : BETWEEN_ADDRESSES.split(row.addresses(), -1)) {
            if (!each.isEmpty()) {
                add(each, addresses, draft);
            }
        }
        draft.changed(
                "executors were entered by hand; here they register themselves, and the group's jobs name the addresses that may run them");
        return List.copyOf(addresses);
    }

    private static void add(String address, Set<String> addresses, EntryDraft draft) {
        try {
            String text = ExecutorAddress.parse("address", address).text();
            if (addresses.size() == Routing.MOST_ADDRESSES && !addresses.contains(text)) {
                draft.notMapped("address %s: a job names at most %d".formatted(text, Routing.MOST_ADDRESSES));
            } else {
                addresses.add(text);
            }
        } catch (OrthException e) {
            draft.notMapped("address '%s': %s".formatted(Text.shown(address), e.getMessage()));
        }
    }
}
