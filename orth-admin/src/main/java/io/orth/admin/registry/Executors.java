package io.orth.admin.registry;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.registry.ExecutorMove.Reason;
import io.orth.admin.registry.ExecutorRepository.Known;
import io.orth.admin.registry.ExecutorRepository.Presence;
import io.orth.admin.registry.ExecutorRepository.Silent;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.Registration;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Registry of executor instances: registration, heartbeats, deregistration and death. */
@Component
public class Executors {

    private static final int LONGEST_ID = 100;
    private static final int LONGEST_FACT = 300;
    private static final int MAX_ZONE_LENGTH = 100;
    private static final int AT_ONCE = 500;

    private final ExecutorRepository executors;
    private final Lifecycle<ExecutorStatus, ExecutorMove> lifecycle;
    private final Transactions transactions;
    private final AddressPolicy addresses;
    private final Duration heartbeatTimeout;
    private final Duration leftoverGrace;
    private final Duration listGone;
    private final SystemLog log;

    public Executors(
            JdbcClient jdbc,
            StateChanges changes,
            Transactions transactions,
            RegistryProperties properties,
            SystemLog log) {
        this.executors = new ExecutorRepository(jdbc);
        this.lifecycle = new Lifecycle<>(EntityKind.EXECUTOR, executors::move, changes);
        this.transactions = transactions;
        this.addresses = new AddressPolicy(properties);
        this.heartbeatTimeout = properties.heartbeatTimeout();
        this.leftoverGrace = properties.leftoverGrace();
        this.listGone = properties.listGone();
        this.log = log;
    }

    /** Executor that is online. {@code incarnation} changes if the executor was offline or dead in between. */
    public record Registered(long id, long incarnation) {}

    /** Handles a registration or a later heartbeat of an executor that has presented the token of {@code group}. */
    public Registered register(int group, Registration registration, InetAddress peer) {
        Registration.Instance instance = registration.instance();
        PlainText.limit("instance.id", instance.id(), LONGEST_ID);
        if (instance.id().startsWith(ForeignInstance.PREFIX)) {
            throw OrthException.invalid("instance.id", "must not start with " + ForeignInstance.PREFIX);
        }
        PlainText.limit("instance.host", instance.host(), LONGEST_FACT);
        PlainText.limit("instance.version", instance.version(), LONGEST_FACT);
        if (instance.zone() != null) {
            PlainText.limit("instance.zone", instance.zone(), MAX_ZONE_LENGTH);
        }
        return enter(group, addresses.check(registration.address(), peer), instance, ExecutorKind.ORTH);
    }

    /** Handles a registration of an XXL-JOB executor that has presented the token of {@code group}. */
    public void registerForeign(int group, String registered, InetAddress peer) {
        String address = addresses.check(registered, peer);
        enter(group, address, ForeignInstance.at(group, address), ExecutorKind.XXL_JOB);
    }

    /** Result of a heartbeat; {@code news} is null if the executor was online already. */
    private record Entered(Registered executor, Reason news, int replaced) {}

    private Registered enter(int group, String address, Registration.Instance instance, ExecutorKind kind) {
        Entered entered = transactions.call(() -> {
            Known known =
                    executors.beat(group, address, instance, promiseTo(kind)).orElse(null);
            Reason news = null;
            if (known == null) {
                known = welcome(group, address, instance, kind);
                news = Reason.REGISTERED;
            } else if (known.status().isGone()) {
                move(List.of(known.id()), known.status(), ExecutorStatus.ONLINE, Reason.RETURNED);
                known = executors.find(group, instance.id()).orElseThrow();
                news = Reason.RETURNED;
            }
            List<Long> predecessors = executors.predecessors(group, address, instance, leftoverGrace);
            move(predecessors, ExecutorStatus.ONLINE, ExecutorStatus.DEAD, Reason.REPLACED);
            return new Entered(new Registered(known.id(), known.sequence()), news, predecessors.size());
        });
        tell(entered, address, instance.id());
        return entered.executor();
    }

    /** Returns for how long the reply allows the executor to start work; zero for XXL-JOB executors, which never stop by themselves. */
    private Duration promiseTo(ExecutorKind kind) {
        return kind == ExecutorKind.ORTH ? heartbeatTimeout : Duration.ZERO;
    }

    private void tell(Entered entered, String address, String instanceId) {
        if (entered.news() != null) {
            String what = entered.news() == Reason.REGISTERED ? "registered" : "is back";
            log.publish(LogLevel.INFO, "executor at %s %s".formatted(address, what), instanceId, null);
        }
        if (entered.replaced() > 0) {
            log.publish(LogLevel.INFO, "executor at %s replaces one that ended".formatted(address), instanceId, null);
        }
    }

    /** Inserts the instance. An instance id belongs to one group; concurrent registrations of the same boot count as one. */
    private Known welcome(int group, String address, Registration.Instance instance, ExecutorKind kind) {
        Optional<MovedRow> inserted = executors.insert(group, address, instance, kind, promiseTo(kind));
        if (inserted.isPresent()) {
            lifecycle.created(List.of(inserted.get()), ExecutorStatus.ONLINE, Reason.REGISTERED.name());
            return new Known(
                    inserted.get().id(), ExecutorStatus.ONLINE, inserted.get().sequence());
        }
        return executors
                .find(group, instance.id())
                .orElseThrow(() -> OrthException.of(
                        ErrorCode.CONFLICT, "instance %s belongs to another group".formatted(instance.id())));
    }

    /** Deregisters an executor at its own request. */
    public void leave(int group, Registration.Instance instance) {
        leave(group, instance.id());
    }

    /** Deregisters an XXL-JOB executor at its own request. */
    public void leaveForeign(int group, String registered, InetAddress peer) {
        leave(group, ForeignInstance.id(group, addresses.check(registered, peer)));
    }

    private void leave(int group, String instanceId) {
        boolean left = transactions.call(() -> executors
                .find(group, instanceId)
                .filter(known -> !known.status().isGone())
                .filter(known ->
                        move(List.of(known.id()), ExecutorStatus.ONLINE, ExecutorStatus.OFFLINE, Reason.LEFT) > 0)
                .isPresent());
        if (left) {
            String address = executors.target(instanceId).map(Target::address).orElse("an address unknown");
            log.publish(LogLevel.INFO, "executor at %s left".formatted(address), instanceId, null);
        }
    }

    private int move(List<Long> ids, ExecutorStatus from, ExecutorStatus to, Reason reason) {
        return lifecycle
                .moveAll(ids.stream()
                        .map(id -> new ExecutorMove(id, from, to, reason, null))
                        .toList())
                .size();
    }

    /** Returns the online executors that accept work, by group. */
    public Map<Integer, List<Target>> online(Collection<Integer> groups) {
        return executors.online(groups).stream().collect(Collectors.groupingBy(Target::groupId));
    }

    /** Returns the ids of online executors that have sent no heartbeat for {@code silence}. */
    public Set<Long> quiet(Collection<Integer> groups, Duration silence) {
        return Set.copyOf(executors.quiet(groups, silence));
    }

    /** Returns the targets of these instances, whatever their status. */
    public List<Target> targets(Collection<Long> executorIds) {
        return executors.targets(executorIds);
    }

    /**
     * Returns the id of the time zone in which the executor's logs are written; empty if the executor did not report it or has been
     * deleted.
     */
    public Optional<String> zone(long executorId) {
        return executors.zone(executorId);
    }

    /** Returns the target of this instance, whatever its status. */
    Target target(String instanceId) {
        return executors.target(instanceId).orElseThrow(() -> OrthException.notFound("executor", instanceId));
    }

    public Executor get(String instanceId) {
        return executors.get(instanceId).orElseThrow(() -> OrthException.notFound("executor", instanceId));
    }

    /** Records that the executor has agreed to drain; its next heartbeat reports this itself. */
    void markDraining(Target target) {
        executors.markDraining(target.executorId());
    }

    /**
     * Records whether this node cannot reach these executors although they send heartbeats. Repeated while that is so, because other nodes
     * may report the opposite.
     */
    void markUnreachable(Collection<Long> executorIds, boolean unreachable) {
        executors.markUnreachable(executorIds, unreachable);
    }

    /** Lists executors with an id below {@code before}, newest first, without those that have been offline or dead for a while. */
    public List<Executor> list(Integer group, long before, int limit) {
        return executors.list(group, listGone, before, limit);
    }

    /** Lists executors with an id below {@code before}, newest first, including all offline and dead executors that are still stored. */
    public List<Executor> listWithGone(Integer group, long before, int limit) {
        return executors.list(group, null, before, limit);
    }

    List<Executor> onlineWithMetrics(int limit) {
        return executors.onlineWithMetrics(limit);
    }

    /** Returns executors by id, above {@code after}, without those that another admin still allows to start work. */
    List<Silent> silent(ExecutorKind kind, Duration silence, long after, int limit) {
        return executors.silent(kind, silence, false, after, limit);
    }

    Presence presence(ExecutorKind kind, Duration silence, Duration missing) {
        return executors.presence(kind, silence, missing);
    }

    /** Returns how many executors were declared dead since then and have not returned. */
    int declaredDead(ExecutorKind kind, Instant since) {
        return executors.declaredDead(kind, since);
    }

    /** Declares all executors of any kind dead that have been silent for {@code silence}, because they belong to another installation. */
    public void declareSilentDead(Duration silence) {
        for (ExecutorKind kind : ExecutorKind.values()) {
            List<Silent> silent = executors.silent(kind, silence, true, 0, AT_ONCE);
            while (!silent.isEmpty()) {
                declareDead(silent);
                long last = silent.get(silent.size() - 1).target().executorId();
                silent = executors.silent(kind, silence, true, last, AT_ONCE);
            }
        }
    }

    /** Declares executors dead that have sent no heartbeat since they were read. Returns their number. */
    int declareDead(List<Silent> silent) {
        List<ExecutorMove> moves = silent.stream()
                .map(one -> new ExecutorMove(
                        one.target().executorId(),
                        ExecutorStatus.ONLINE,
                        ExecutorStatus.DEAD,
                        Reason.SILENT,
                        one.lastBeatAt()))
                .toList();
        Set<Long> dead = transactions.call(() -> lifecycle.moveAll(moves));
        silent.stream()
                .map(Silent::target)
                .filter(target -> dead.contains(target.executorId()))
                .forEach(target -> log.publish(
                        LogLevel.WARN,
                        "executor at %s is dead: it went away without a word".formatted(target.address()),
                        target.instanceId(),
                        null));
        return dead.size();
    }

    int prune(Duration age, int limit) {
        return executors.prune(age, limit);
    }
}
