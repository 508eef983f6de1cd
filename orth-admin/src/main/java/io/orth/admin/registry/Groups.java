package io.orth.admin.registry;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Executor groups: made, named and given tokens by operators. */
@Component
public class Groups {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int LONGEST_TITLE = 200;

    private final GroupRepository groups;
    private final Transactions transactions;

    public Groups(JdbcClient jdbc, Transactions transactions) {
        this.groups = new GroupRepository(jdbc);
        this.transactions = transactions;
    }

    /** Those with an id above {@code after}, by id; only the one called {@code name} where that is given. */
    public List<ExecutorGroup> list(String name, int after, int limit) {
        return groups.list(name, after, limit);
    }

    /** The names of those groups that still exist, by id. */
    public Map<Integer, String> names(Collection<Integer> ids) {
        return groups.names(ids);
    }

    public ExecutorGroup get(int id) {
        return groups.find(id).orElseThrow(() -> OrthException.notFound("executor group", id));
    }

    public ExecutorGroup create(String name, String title) {
        if (name == null || !NAME.matcher(name).matches()) {
            throw OrthException.invalid(
                    "name",
                    "must be 1 to 64 letters, digits, dots, dashes or underscores, starting with a letter or digit");
        }
        int id = groups.insert(name, checkedTitle(title, name), GroupToken.generate())
                .orElseThrow(() -> OrthException.of(
                        ErrorCode.CONFLICT, "there is an executor group '%s' already".formatted(name)));
        return get(id);
    }

    public ExecutorGroup rename(int id, String title) {
        if (title == null || title.isBlank()) {
            throw OrthException.invalid("title", "must not be blank");
        }
        if (!groups.rename(id, checkedTitle(title, title))) {
            throw OrthException.notFound("executor group", id);
        }
        return get(id);
    }

    /** Refused while it has jobs, unfinished runs, or executors that are online. */
    public void delete(int id) {
        if (groups.hasUnfinishedRuns(id)) {
            throw OrthException.of(ErrorCode.CONFLICT, "executor group %d still has unfinished runs".formatted(id));
        }
        try {
            if (!transactions.call(() -> groups.delete(id))) {
                throw OrthException.notFound("executor group", id);
            }
        } catch (DataIntegrityViolationException e) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "executor group %d still has jobs, queues or online executors".formatted(id));
        }
    }

    public String token(int id) {
        return groups.credentials(id)
                .orElseThrow(() -> OrthException.notFound("executor group", id))
                .token();
    }

    /** The old token stops working at once. */
    public String rotateToken(int id) {
        GroupToken token = GroupToken.generate();
        if (!groups.setToken(id, token)) {
            throw OrthException.notFound("executor group", id);
        }
        return token.text();
    }

    /** The group whose token this is. */
    public Optional<Integer> authenticate(String token) {
        return token == null || token.isBlank()
                ? Optional.empty()
                : groups.findByToken(new GroupToken(token)).map(GroupRepository.Credentials::id);
    }

    private static String checkedTitle(String title, String otherwise) {
        if (title == null || title.isBlank()) {
            return otherwise;
        }
        PlainText.limit("title", title, LONGEST_TITLE);
        return title.strip();
    }
}
