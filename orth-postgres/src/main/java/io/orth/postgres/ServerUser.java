package io.orth.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The user the server runs as. PostgreSQL does not run as root. If Orth runs as root, which is usual in containers, the server's programs
 * are started through a program that drops the privilege first.
 */
final class ServerUser {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final List<String> UNPRIVILEGED = List.of("postgres", "nobody");

    private final List<String> prefix;
    private final Optional<String> owner;

    private ServerUser(List<String> prefix, Optional<String> owner) {
        this.prefix = prefix;
        this.owner = owner;
    }

    static ServerUser choose(Path directory, Path programs) {
        if (!run("id", "-u").output().strip().equals("0")) {
            return new ServerUser(List.of(), Optional.empty());
        }
        return inOwnNamespace()
                .or(() -> asOtherUser(directory, programs))
                .orElseThrow(() -> new EmbeddedPostgresException(
                        "PostgreSQL refuses to run as root, and no other user can reach %s; run Orth as a normal user, choose another data directory, or use your own PostgreSQL by --db-url."
                                .formatted(directory)));
    }

    /** Returns a user in a separate user namespace: the process sees itself as another user, while its files still belong to root. */
    static Optional<ServerUser> inOwnNamespace() {
        Commands.Ended probe = run("unshare", "--user", "id", "-un");
        boolean possible = probe.succeeded() && !probe.output().strip().equals("root");
        return possible
                ? Optional.of(new ServerUser(List.of("unshare", "--user"), Optional.empty()))
                : Optional.empty();
    }

    /** Returns another existing user, which must own the data and be able to access it. */
    static Optional<ServerUser> asOtherUser(Path directory, Path programs) {
        for (String name : UNPRIVILEGED) {
            Commands.Ended group = run("id", "-g", name);
            if (group.succeeded()) {
                List<String> prefix = List.of(
                        "setpriv",
                        "--reuid=" + name,
                        "--regid=" + group.output().strip(),
                        "--clear-groups");
                ServerUser user = new ServerUser(prefix, Optional.of(name));
                if (user.canReach(directory, programs)) {
                    return Optional.of(user);
                }
            }
        }
        return Optional.empty();
    }

    private boolean canReach(Path directory, Path programs) {
        try {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return run(command("test", "-x", directory.toString())).succeeded()
                && run(command("test", "-x", programs.toString())).succeeded();
    }

    /** Returns the command line to start. */
    List<String> command(String... command) {
        return command(List.of(command));
    }

    List<String> command(List<String> command) {
        List<String> whole = new ArrayList<>(prefix);
        whole.addAll(command);
        return whole;
    }

    /** Makes this user the owner of a file or directory tree, so that the server can write to it. */
    void own(Path path) throws IOException {
        if (owner.isEmpty()) {
            return;
        }
        UserPrincipal principal =
                path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner.get());
        try (Stream<Path> tree = Files.walk(path)) {
            for (Path each : tree.toList()) {
                if (!Files.getOwner(each, LinkOption.NOFOLLOW_LINKS).equals(principal)) {
                    Files.setOwner(each, principal);
                }
            }
        }
    }

    private static Commands.Ended run(String... command) {
        return run(List.of(command));
    }

    private static Commands.Ended run(List<String> command) {
        return Commands.run(command, LIMIT);
    }
}
