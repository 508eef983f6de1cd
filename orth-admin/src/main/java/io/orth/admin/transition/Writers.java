package io.orth.admin.transition;

import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Transactions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The numbers under which this node's threads write transitions. A thread gets its number in the transaction in which it first writes.
 */
final class Writers {

    /** Threads come from pools, so names are few. Beyond this limit, threads share a number. */
    private static final int MOST = 1_000;

    private static final String REST = "others";

    private static final String ENTER = """
            insert into orth_writer as w (node_id, host, pid, version, thread)
            values (:node, :host, :pid, :version, :thread)
            on conflict (node_id, thread) do update set seen_at = excluded.seen_at
            returning id
            """;

    private final JdbcClient jdbc;
    private final Node node;
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    Writers(JdbcClient jdbc, Node node) {
        this.jdbc = jdbc;
        this.node = node;
    }

    /** Returns the number of the calling thread. */
    int current() {
        String name = Thread.currentThread().getName();
        String thread = known.containsKey(name) || known.size() < MOST ? name : REST;
        Integer id = known.get(thread);
        return id != null ? id : enter(thread);
    }

    /** The number is cached only after the commit. */
    private int enter(String thread) {
        int id = jdbc.sql(ENTER)
                .param("node", node.id())
                .param("host", node.host())
                .param("pid", node.pid())
                .param("version", node.version())
                .param("thread", thread)
                .query(Integer.class)
                .single();
        Transactions.afterCommit(() -> known.put(thread, id));
        return id;
    }
}
