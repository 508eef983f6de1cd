package io.orth.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.RegistrationReply;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import io.orth.protocol.WorkRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An admin for tests of executors: listens on a loopback port, remembers what it is told, and misbehaves on demand. It accepts
 * requests that show {@link #TOKEN}.
 */
public final class FakeAdmin implements AutoCloseable {

    public static final String TOKEN = "fake-admin-token";

    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private final HttpServer server;
    private final ExecutorService threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final List<Registration> registrations = new ArrayList<>();
    private final List<Registration> removals = new ArrayList<>();
    private final List<CallbackItem> callbacks = new ArrayList<>();
    private final List<Integer> callbackBatches = new ArrayList<>();
    private Predicate<CallbackItem> refused = item -> false;
    private int requests;
    private int failuresLeft;
    private int code = Codes.SUCCESS;
    private boolean hanging;
    private boolean foreign;
    private List<Long> revoked = List.of();
    private long incarnation = 1;
    private String installationId;
    private final List<DeclaredJobs> declarations = new ArrayList<>();
    private List<DeclaredJobs.Refused> refusedDeclarations = List.of();
    private boolean beforeDeclarations;

    private final FakeQueues queues = new FakeQueues();
    private final FakeTasks tasks = new FakeTasks(queues);

    private FakeAdmin(int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "fake-admin");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    public static FakeAdmin start() {
        return new FakeAdmin(0);
    }

    /** At a port of one's choice, for an admin that goes away and comes back. */
    public static FakeAdmin startAt(int port) {
        return new FakeAdmin(port);
    }

    public String address() {
        return "http://%s:%d".formatted(server.getAddress().getAddress().getHostAddress(), port());
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Its queues, and who works on them. */
    public FakeQueues queues() {
        return queues;
    }

    /** Its pipelines' tasks, and what is said about them. */
    public FakeTasks tasks() {
        return tasks;
    }

    /** The next {@code n} requests are answered with code 500 and have no other effect. */
    public void failNext(int n) {
        change(() -> failuresLeft = n);
    }

    /** From now on requests are answered with this code; other than 200 they have no other effect. */
    public void answer(int newCode) {
        change(() -> code = newCode);
    }

    /** From now on it says that it belongs to this installation. */
    public void belongTo(String installation) {
        change(() -> installationId = installation);
    }

    /** From now on registrations are answered as a real XXL-JOB admin does, without Orth's own fields. */
    public void answerAsXxlJob() {
        change(() -> foreign = true);
    }

    /** From now on the answer to a registration lists these runs as revoked. */
    public void revoke(Long... runs) {
        change(() -> revoked = List.of(runs));
    }

    /** From the next answer to a registration on, all executors have been declared dead and are back. */
    public void declareDead() {
        change(() -> incarnation++);
    }

    /** From now on it answers as an Orth admin did before code could declare jobs. */
    public void answerAsBeforeDeclarations() {
        change(() -> beforeDeclarations = true);
    }

    /** From now on it takes declared jobs but these. */
    public void refuseDeclarations(DeclaredJobs.Refused... jobs) {
        change(() -> refusedDeclarations = List.of(jobs));
    }

    /** Forgets what was declared, so that it asks again. */
    public void forgetDeclarations() {
        change(declarations::clear);
    }

    public List<DeclaredJobs> declarations() {
        return snapshot(declarations);
    }

    public DeclaredJobs awaitDeclarations() {
        return await(declarations, declared -> true, "declared jobs");
    }

    /** Refuses every batch that holds such a result. */
    public void refuseCallbacks(Predicate<CallbackItem> bad) {
        change(() -> refused = bad);
    }

    /** From now on requests get no answer, until {@link #resume()}. */
    public void hang() {
        change(() -> hanging = true);
    }

    public void resume() {
        change(() -> hanging = false);
    }

    public List<Registration> registrations() {
        return snapshot(registrations);
    }

    public List<Registration> removals() {
        return snapshot(removals);
    }

    /** All accepted results, in order of arrival. */
    public List<CallbackItem> callbacks() {
        return snapshot(callbacks);
    }

    /** How many results each accepted request held. */
    public List<Integer> callbackBatches() {
        return snapshot(callbackBatches);
    }

    /** How many requests arrived, answered or not. */
    public int requests() {
        lock.lock();
        try {
            return requests;
        } finally {
            lock.unlock();
        }
    }

    public Registration awaitRegistration() {
        return awaitRegistration(registration -> true);
    }

    public Registration awaitRegistration(Predicate<Registration> wanted) {
        return await(registrations, wanted, "registration");
    }

    /** Waits until this many more registrations have arrived. */
    public void awaitRegistrations(int more) {
        int goal = registrations().size() + more;
        awaitCondition(() -> registrations.size() >= goal, more + " more registrations");
    }

    public Registration awaitRemoval() {
        return await(removals, removal -> true, "removal");
    }

    public CallbackItem awaitCallback(long logId) {
        return await(callbacks, item -> item.logId() == logId, "callback of " + logId);
    }

    /** Waits until this many results have arrived in all. */
    public void awaitCallbacks(int count) {
        awaitCondition(() -> callbacks.size() >= count, count + " callbacks");
    }

    /** Waits until this many more requests have arrived. */
    public void awaitRequests(int more) {
        int goal = requests() + more;
        awaitCondition(() -> requests >= goal, more + " more requests");
    }

    @Override
    public void close() {
        resume();
        queues.close();
        tasks.letGo();
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            byte[] answer = answerTo(exchange, body);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (FakeQueues.AnswerLostException e) {
            // The connection is closed, and that is all its peer ever sees.
        }
    }

    private byte[] answerTo(HttpExchange exchange, byte[] body) {
        String path = exchange.getRequestURI().getPath();
        try {
            Reply refusal = refusalOf(exchange);
            if (refusal != null) {
                return Json.write(refusal);
            }
            if (FakeTasks.serves(path)) {
                return tasks.answer(path, body);
            }
            return path.equals(AdminPaths.QUEUE_WORK)
                    ? queues.answer(WorkRequest.from(Json.readObject(body)))
                    : Json.write(locked(() -> record(path, body)));
        } catch (WireFormatException e) {
            return Json.write(Reply.fail(e.getMessage()));
        }
    }

    /** Null if the request is to have its effect. */
    private Reply refusalOf(HttpExchange exchange) {
        lock.lock();
        try {
            requests++;
            changed.signalAll();
            while (hanging) {
                changed.awaitUninterruptibly();
            }
            if (failuresLeft > 0) {
                failuresLeft--;
                return Reply.fail("told to fail");
            }
            if (code != Codes.SUCCESS) {
                return new Reply(code, "told to answer " + code, null);
            }
            if (!TOKEN.equals(exchange.getRequestHeaders().getFirst(Headers.ACCESS_TOKEN))) {
                return Reply.fail("The access token is wrong.");
            }
            return null;
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    private WireMessage locked(Supplier<WireMessage> answer) {
        lock.lock();
        try {
            return answer.get();
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    private WireMessage record(String path, byte[] body) {
        switch (path) {
            case AdminPaths.REGISTRY -> {
                Registration registration = Registration.from(Json.readObject(body));
                registrations.add(registration);
                return foreign
                        ? Reply.ok()
                        : RegistrationReply.ok(revoked, asks(registration), installationId, null)
                                .of(incarnation);
            }
            case AdminPaths.DECLARATIONS -> {
                declarations.add(DeclaredJobs.from(Json.readObject(body)));
                return Reply.ok(new DeclaredJobs.Answer(refusedDeclarations));
            }
            case AdminPaths.REGISTRY_REMOVE -> removals.add(Registration.from(Json.readObject(body)));
            case AdminPaths.CALLBACK -> {
                List<CallbackItem> items =
                        Json.readArray(body).stream().map(CallbackItem::from).toList();
                if (items.stream().anyMatch(refused)) {
                    return Reply.fail("told to refuse one of these");
                }
                callbacks.addAll(items);
                callbackBatches.add(items.size());
            }
            default -> {
                return Reply.fail("there is no " + path);
            }
        }
        return Reply.ok();
    }

    private Boolean asks(Registration registration) {
        String hash =
                registration.instance() == null ? null : registration.instance().declarations();
        if (hash == null || beforeDeclarations) {
            return null;
        }
        return !hash.equals(DeclaredJobs.NONE)
                && declarations.stream().noneMatch(known -> known.hash().equals(hash));
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private <T> List<T> snapshot(List<T> list) {
        lock.lock();
        try {
            return List.copyOf(list);
        } finally {
            lock.unlock();
        }
    }

    private <T> T await(List<T> list, Predicate<T> wanted, String what) {
        lock.lock();
        try {
            awaitCondition(() -> list.stream().anyMatch(wanted), what);
            return list.stream().filter(wanted).findFirst().orElseThrow();
        } finally {
            lock.unlock();
        }
    }

    private void awaitCondition(BooleanSupplier condition, String what) {
        lock.lock();
        try {
            long left = PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError("no %s within %s".formatted(what, PATIENCE));
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what, e);
        } finally {
            lock.unlock();
        }
    }
}
