package io.orth.admin.deadletter;

import io.orth.admin.deadletter.DeadLetterOwner.Room;
import io.orth.admin.deadletter.Operation.Action;
import io.orth.admin.deadletter.Operation.Branch;
import io.orth.admin.deadletter.OperationRepository.Advance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects the next dead letters of an operation. A throttled queue or job gets a branch: its own cursor, from which its dead letters are
 * continued when there is room. Meanwhile the operation continues with the others. So each dead letter is reached once.
 */
final class OperationPlan {

    /** When this many queues and jobs are throttled, the operation waits for one of them. */
    static final int MOST_BRANCHES = 100;

    private static final int NAMED = 3;

    /** The next dead letters and the operation's state after them. {@code rests} is true if nothing more can be done for a moment. */
    record Next(List<DeadRef> letters, long place, List<Branch> branches, String heldBy, boolean rests, boolean end) {

        Advance advance(int done, int skipped, int failed, String error, Duration rest) {
            return new Advance(place, branches, done, skipped, failed, error, heldBy, rest, end);
        }
    }

    /** Owner of dead letters: a queue or a job. */
    private record Owner(DeadKind kind, int id) {

        static Owner of(DeadRef letter) {
            return new Owner(letter.kind(), letter.owner());
        }

        static Owner of(Branch branch) {
            return new Owner(branch.kind(), branch.owner());
        }
    }

    private final DeadLetterList letters;
    private final Map<DeadKind, DeadLetterOwner> owners;

    OperationPlan(DeadLetterList letters, Map<DeadKind, DeadLetterOwner> owners) {
        this.letters = letters;
        this.owners = new EnumMap<>(owners);
    }

    /** @param ofBranch whether to continue a branch, if one has room */
    Next next(Operation operation, int limit, boolean ofBranch) {
        if (operation.action() == Action.DISCARD) {
            DeadLetterList.Part part = main(operation, limit);
            return new Next(part.letters(), part.place(), List.of(), null, false, part.end());
        }
        boolean mainIsOver = operation.place() >= operation.lastNo();
        if (mainIsOver || (ofBranch && !operation.branches().isEmpty())) {
            Next some = ofBranches(operation, limit, mainIsOver);
            if (mainIsOver || !some.branches().equals(operation.branches())) {
                return some;
            }
        }
        return ofMain(operation, limit);
    }

    private DeadLetterList.Part main(Operation operation, int limit) {
        return operation.numbers() == null
                ? letters.next(operation.filter(), operation.place(), operation.lastNo(), limit)
                : letters.next(operation.numbers(), operation.place(), operation.lastNo(), limit);
    }

    /** Returns dead letters of the first branch with room. That branch then moves behind the others. */
    private Next ofBranches(Operation operation, int limit, boolean mainIsOver) {
        List<Branch> branches = new ArrayList<>(operation.branches());
        Map<Owner, Room> rooms = rooms(branches.stream().map(Owner::of).collect(Collectors.toSet()));
        for (Branch branch : operation.branches()) {
            int places = Math.min(limit, places(rooms, Owner.of(branch)));
            if (places > 0) {
                DeadLetterList.Part part = of(operation, branch, places);
                branches.remove(branch);
                if (!part.end()) {
                    branches.add(new Branch(branch.kind(), branch.owner(), part.place()));
                }
                return new Next(
                        part.letters(),
                        operation.place(),
                        branches,
                        held(branches, rooms),
                        mainIsOver && places < limit && !part.end(),
                        mainIsOver && branches.isEmpty());
            }
        }
        return new Next(
                List.of(), operation.place(), branches, held(branches, rooms), true, mainIsOver && branches.isEmpty());
    }

    private DeadLetterList.Part of(Operation operation, Branch branch, int limit) {
        if (operation.numbers() == null) {
            DeadLetterFilter its = operation.filter().of(branch.kind(), branch.owner());
            return letters.next(its, branch.place(), operation.lastNo(), limit);
        }
        List<DeadRef> its = letters
                .next(operation.numbers(), branch.place(), operation.lastNo(), Operations.MOST_NUMBERS)
                .letters()
                .stream()
                .filter(letter -> Owner.of(letter).equals(Owner.of(branch)))
                .limit(limit)
                .toList();
        boolean end = its.size() < limit;
        return new DeadLetterList.Part(
                its, end ? operation.lastNo() : its.get(limit - 1).no(), end);
    }

    /** Returns dead letters in their order as far as there is room. Owners without room get a branch. */
    private Next ofMain(Operation operation, int limit) {
        DeadLetterList.Part part = main(operation, limit);
        List<Branch> branches = new ArrayList<>(operation.branches());
        Set<Owner> aside = branches.stream().map(Owner::of).collect(Collectors.toSet());
        Map<Owner, Room> rooms =
                rooms(Stream.concat(aside.stream(), part.letters().stream().map(Owner::of))
                        .collect(Collectors.toSet()));
        Map<Owner, Integer> used = new HashMap<>();
        List<DeadRef> some = new ArrayList<>();
        for (DeadRef letter : part.letters()) {
            Owner owner = Owner.of(letter);
            if (aside.contains(owner)) {
                continue;
            }
            if (used.merge(owner, 1, Integer::sum) <= places(rooms, owner)) {
                some.add(letter);
            } else if (operation.filter().isOfOneOwner() || branches.size() == MOST_BRANCHES) {
                String name = rooms.get(owner).name();
                return new Next(some, letter.no() - 1, branches, name, true, false);
            } else {
                branches.add(new Branch(letter.kind(), letter.owner(), letter.no() - 1));
                aside.add(owner);
            }
        }
        return new Next(some, part.place(), branches, held(branches, rooms), false, part.end() && branches.isEmpty());
    }

    private Map<Owner, Room> rooms(Collection<Owner> wanted) {
        Map<Owner, Room> rooms = new HashMap<>();
        wanted.stream()
                .collect(Collectors.groupingBy(Owner::kind, Collectors.mapping(Owner::id, Collectors.toSet())))
                .forEach((kind, ids) ->
                        owners.get(kind).room(ids).forEach((id, room) -> rooms.put(new Owner(kind, id), room)));
        return rooms;
    }

    /** Returns the room of an owner. Deleted owners have no limit. */
    private static int places(Map<Owner, Room> rooms, Owner owner) {
        Room room = rooms.get(owner);
        return room == null ? Integer.MAX_VALUE : room.places();
    }

    private static String held(List<Branch> branches, Map<Owner, Room> rooms) {
        List<String> names = branches.stream()
                .map(branch -> rooms.get(Owner.of(branch)))
                .filter(room -> room != null && room.places() <= 0)
                .map(Room::name)
                .toList();
        if (names.isEmpty()) {
            return null;
        }
        String named = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        return names.size() > NAMED ? "%s and %d more".formatted(named, names.size() - NAMED) : named;
    }
}
