package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.PublishedLines;
import io.orth.admin.kernel.Cluster;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.NodeLease;
import io.orth.admin.kernel.Ticker;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

class ClusterNewsDbTest {

    private static final String LOOP = "node-lease";

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2026-11-16T12:00:00Z");
    private final Liveness liveness =
            new Liveness(LOOP, Duration.ofSeconds(15), Duration.ofSeconds(30), clock.ticker()::getAsLong);
    private final PublishedLines log = new PublishedLines();
    private final Node a = new Node("a", "host", 1, "test");
    private final Node b = new Node("b", "host", 2, "test");
    private JdbcClient jdbc;
    private ClusterNews news;

    @BeforeEach
    void setUp() {
        jdbc = JdbcClient.create(db.dataSource());
        news = new ClusterNews(new Cluster(jdbc), a, liveness, log);
        clock.advance(Duration.ofSeconds(20));
        liveness.passed(LOOP, Pass.DRAINED);
    }

    private ClusterLease lease(String duty, Node node) {
        return new ClusterLease(jdbc, duty, node, Duration.ofMinutes(1));
    }

    private NodeLease seat(Node node) {
        return new NodeLease(jdbc, node, Ticker.system());
    }

    @Test
    void reportsTakenOverLeasesInOneLine() {
        lease("one", b).hold();
        lease("two", b).hold();
        lease("own", a).hold();
        news.run();
        lease("one", b).release();
        lease("two", b).release();
        lease("one", a).hold();
        lease("two", a).hold();
        news.run();
        news.run();

        assertThat(log.lines()).containsExactly("INFO admin a took over from b: one, two");
    }

    @Test
    void reportsLeaseTakenOverBeforeFirstPass() {
        lease("one", b).hold();
        lease("one", b).release();
        lease("one", a).hold();

        news.run();

        assertThat(log.lines()).containsExactly("INFO admin a took over from another admin: one");
    }

    @Test
    void reportsLostNodeOnce() {
        seat(a);
        seat(b);
        news.run();
        jdbc.sql(
                        "update orth_node set started_at = now(), expires_at = now() + interval '2 seconds' where node_id = 'b'")
                .update();
        news.run();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> new Cluster(jdbc).members().size() == 1);
        news.run();
        news.run();

        assertThat(log.lines()).containsExactly("WARN admin b is gone without a word; others take over what it did");
    }

    @Test
    void doesNotReportNodeThatStoppedOrderly() {
        seat(a);
        NodeLease leaving = seat(b);
        news.run();
        leaving.release();
        news.run();

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void reportsLostNodeFromOneAdminOnly() {
        seat(a);
        seat(b);
        Node c = new Node("c", "host", 3, "test");
        seat(c);
        ClusterNews ofB = new ClusterNews(new Cluster(jdbc), b, liveness, log);
        ofB.run();
        jdbc.sql("update orth_node set expires_at = now() - interval '1 second' where node_id = 'c'")
                .update();
        ofB.run();

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void reportsNoLostNodeAfterOwnOutage() {
        seat(a);
        seat(b);
        news.run();
        liveness.failed(LOOP, 1, new IllegalStateException());
        jdbc.sql("update orth_node set expires_at = now() - interval '1 second' where node_id = 'b'")
                .update();
        news.run();
        assertThat(log.lines()).isEmpty();
        jdbc.sql("update orth_node set expires_at = now() + interval '10 seconds' where node_id = 'b'")
                .update();
        clock.advance(Duration.ofSeconds(20));
        liveness.passed(LOOP, Pass.DRAINED);
        news.run();

        assertThat(log.lines()).isEmpty();
    }
}
