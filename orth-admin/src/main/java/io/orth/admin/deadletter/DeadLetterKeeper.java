package io.orth.admin.deadletter;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Ends what was kept for as long as it is to be. */
public final class DeadLetterKeeper {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterKeeper.class);

    private final DeadLetterList letters;
    private final Map<DeadKind, DeadLetterOwner> owners = new EnumMap<>(DeadKind.class);

    public DeadLetterKeeper(DeadLetterList letters, Collection<DeadLetterOwner> owners) {
        this.letters = letters;
        owners.forEach(owner -> this.owners.put(owner.kind(), owner));
    }

    /** Discards those that were given up longer ago than that; returns how many. */
    public int expire(Duration age, int limit) {
        return letters.old(age, limit).stream().collect(Collectors.groupingBy(DeadRef::kind)).entrySet().stream()
                .mapToInt(each -> discard(owners.get(each.getKey()), each.getValue()))
                .sum();
    }

    /** One that cannot be ended must not keep its neighbours. */
    private static int discard(DeadLetterOwner owner, List<DeadRef> some) {
        try {
            return owner.discard(some).done();
        } catch (DataAccessException e) {
            if (some.size() == 1) {
                log.atWarn()
                        .addKeyValue("no", some.get(0).no())
                        .setCause(e)
                        .log("a dead letter whose time is over could not be discarded");
                return 0;
            }
            int half = some.size() / 2;
            return discard(owner, some.subList(0, half)) + discard(owner, some.subList(half, some.size()));
        }
    }
}
