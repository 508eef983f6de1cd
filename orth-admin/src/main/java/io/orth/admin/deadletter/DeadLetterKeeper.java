package io.orth.admin.deadletter;

import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.Transactions;
import io.orth.runtime.Duty.Pass;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Discards expired dead letters in batches, oldest first. A dead letter that cannot be discarded is skipped until all others are done. */
public final class DeadLetterKeeper {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterKeeper.class);

    private final DeadLetterList letters;
    private final Transactions transactions;
    private final Map<DeadKind, DeadLetterOwner> owners = new EnumMap<>(DeadKind.class);
    /** The last dead letter that was processed. Used by the loop's thread only. */
    private DeadLetterList.Old last = DeadLetterList.Old.NONE;

    public DeadLetterKeeper(DeadLetterList letters, Collection<DeadLetterOwner> owners, Transactions transactions) {
        this.letters = letters;
        this.transactions = transactions;
        owners.forEach(owner -> this.owners.put(owner.kind(), owner));
    }

    /**
     * Discards up to {@code limit} dead letters older than {@code age}. Each transaction tests {@code allowed}: whether this node may still
     * discard.
     */
    public Pass expire(Duration age, int limit, BooleanSupplier allowed) {
        List<DeadLetterList.Old> some = letters.old(age, last, limit);
        some.stream()
                .map(DeadLetterList.Old::letter)
                .collect(Collectors.groupingBy(DeadRef::kind))
                .forEach((kind, its) -> discard(owners.get(kind), its, allowed));
        boolean end = some.size() < limit;
        last = end ? DeadLetterList.Old.NONE : some.get(limit - 1);
        return end ? Pass.DRAINED : Pass.MORE;
    }

    private void discard(DeadLetterOwner owner, List<DeadRef> letters, BooleanSupplier allowed) {
        Splitter.run(
                letters,
                some -> discardNow(owner, some, allowed),
                (letter, why) -> log.atWarn()
                        .addKeyValue("no", letter.no())
                        .setCause(why)
                        .log("a dead letter whose time is over could not be discarded"));
    }

    private void discardNow(DeadLetterOwner owner, List<DeadRef> some, BooleanSupplier allowed) {
        boolean may = transactions.call(() -> {
            boolean mine = allowed.getAsBoolean();
            if (mine && owner.joinsTransactions()) {
                owner.discard(some);
            }
            return mine;
        });
        if (may && !owner.joinsTransactions()) {
            owner.discard(some);
        }
    }
}
