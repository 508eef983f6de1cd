package io.orth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadsTest {

    @Test
    void workersAreVirtualWhereJavaHasVirtualThreads() throws Exception {
        boolean newEnough = Runtime.version().feature() >= 21;

        Thread lane = Threads.worker("job-1", () -> {});

        assertThat(isVirtual(lane)).isEqualTo(newEnough);
        assertThat(lane.getName()).isEqualTo("orth-job-1");
        assertThat(lane.isDaemon()).isTrue();
    }

    @Test
    void servicesArePlatformThreads() throws Exception {
        Thread service = Threads.service("x", () -> {});

        assertThat(isVirtual(service)).isFalse();
        assertThat(service.isDaemon()).isTrue();
    }

    /** {@code Thread.isVirtual()} does not exist in the Java this is compiled for. */
    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
