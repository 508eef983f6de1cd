package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The online executors, one per address: only the newest instance after a restart. Not thread-safe. */
final class Candidates {

    private record Wanted(int group, List<String> addresses) {}

    private final Map<Integer, Map<String, Target>> byAddress = new HashMap<>();
    private final Map<Wanted, List<Target>> found = new HashMap<>();

    /** @param online executors by group; those with the same address in order of registration */
    Candidates(Map<Integer, List<Target>> online) {
        online.forEach((group, targets) -> {
            Map<String, Target> newest = new LinkedHashMap<>();
            targets.forEach(target -> newest.put(target.address(), target));
            byAddress.put(group, newest);
        });
    }

    /** Returns the candidates in order of address or, if {@code addresses} are given, those of them that are online, in that order. */
    List<Target> of(int group, List<String> addresses) {
        return found.computeIfAbsent(new Wanted(group, addresses), this::find);
    }

    private List<Target> find(Wanted wanted) {
        Map<String, Target> online = byAddress.getOrDefault(wanted.group(), Map.of());
        return wanted.addresses().isEmpty()
                ? List.copyOf(online.values())
                : wanted.addresses().stream()
                        .map(online::get)
                        .filter(Objects::nonNull)
                        .toList();
    }
}
