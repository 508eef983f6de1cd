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

/** The executor instances: who registered, who is online, who left or died. */
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

    /** An executor that is online; {@code incarnation} changes when it was offline or dead in between. */
    public record Registered(long id, long incarnation) {}

    /** A registration or a later beat of an executor that has shown {@code group}'s token. */
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

    /** A registration of an executor that speaks only XXL-JOB's wire, which has shown {@code group}'s token. */
    public void registerForeign(int group, String registered, InetAddress peer) {
        String address = addresses.check(registered, peer);
        enter(group, address, ForeignInstance.at(group, address), ExecutorKind.XXL_JOB);
    }

    /** {@code news} is null where it is one more beat of an executor that is online. */
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

    /** For how long the reply lets it start work; those of XXL-JOB are never stopped. */
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

    /** An instance id is one group's; two registrations of the same boot at once are one. */
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

    /** The executor's own word that it leaves. */
    public void leave(int group, Registration.Instance instance) {
        leave(group, instance.id());
    }

    /** The same word of an executor that speaks only XXL-JOB's wire. */
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

    /** Those online that take work, per group. */
    public Map<Integer, List<Target>> online(Collection<Integer> groups) {
        return executors.online(groups).stream().collect(Collectors.groupingBy(Target::groupId));
    }

    /** The ids of those online that have not been heard of for {@code silence}. */
    public Set<Long> quiet(Collection<Integer> groups, Duration silence) {
        return Set.copyOf(executors.quiet(groups, silence));
    }

    /** How to reach these instances, whatever their status. */
    public List<Target> targets(Collection<Long> executorIds) {
        return executors.targets(executorIds);
    }

    /** The id of the time zone that the times in its logs are in; empty where it did not say, or is not kept any more. */
    public Optional<String> zone(long executorId) {
        return executors.zone(executorId);
    }

    /** How to reach this instance, whatever its status. */
    Target target(String instanceId) {
        return executors.target(instanceId).orElseThrow(() -> OrthException.notFound("executor", instanceId));
    }

    public Executor get(String instanceId) {
        return executors.get(instanceId).orElseThrow(() -> OrthException.notFound("executor", instanceId));
    }

    /** It has agreed to take no more work; its next beat will say so itself. */
    void markDraining(Target target) {
        executors.markDraining(target.executorId());
    }

    /** Whether this node cannot reach them although they send heartbeats; repeated while that is so, as other nodes may differ. */
    void markUnreachable(Collection<Long> executorIds, boolean unreachable) {
        executors.markUnreachable(executorIds, unreachable);
    }

    /** Newest first, those with an id below {@code before}; without those that have been gone for a while. */
    public List<Executor> list(Integer group, long before, int limit) {
        return executors.list(group, listGone, before, limit);
    }

    /** The same with all that are kept, however long they have been gone. */
    public List<Executor> listWithGone(Integer group, long before, int limit) {
        return executors.list(group, null, before, limit);
    }

    List<Executor> onlineWithMetrics(int limit) {
        return executors.onlineWithMetrics(limit);
    }

    /** By id, those with an id above {@code after}, without those that another admin lets start work for longer. */
    List<Silent> silent(ExecutorKind kind, Duration silence, long after, int limit) {
        return executors.silent(kind, silence, false, after, limit);
    }

    Presence presence(ExecutorKind kind, Duration silence, Duration missing) {
        return executors.presence(kind, silence, missing);
    }

    /** How many were declared dead since then and have not come back. */
    int declaredDead(ExecutorKind kind, Instant since) {
        return executors.declaredDead(kind, since);
    }

    /** Calls all dead, of whichever kind, that have not been heard of for {@code silence}: they are another installation's. */
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

    /** Returns how many were still as silent as they were when judged. */
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
