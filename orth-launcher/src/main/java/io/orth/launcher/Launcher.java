package io.orth.launcher;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The program behind {@code ./orth up}. */
public final class Launcher {

    private Launcher() {}

    public static void main(String[] arguments) {
        // Stays 0 if the user requests the stop; the exit code of a signal would look like a failure.
        AtomicInteger exitCode = new AtomicInteger();
        try {
            Map<String, String> environment = System.getenv();
            Up up = new Up(LauncherOptions.parse(List.of(arguments), environment), environment, System.out);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(up, exitCode), "orth-stop"));
            up.run();
        } catch (LauncherException e) {
            exitCode.set(e.exitCode());
            System.err.println(e.getMessage());
        } catch (RuntimeException e) {
            exitCode.set(LauncherException.FAILED);
            e.printStackTrace();
        }
        System.exit(exitCode.get());
    }

    private static void end(Up up, AtomicInteger exitCode) {
        up.stop();
        System.out.flush();
        Runtime.getRuntime().halt(exitCode.get());
    }
}
