package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.protocol.Glue;
import org.junit.jupiter.api.Test;

class HandlerCacheTest {

    @Test
    void theSameVersionHasTheSameHandler() {
        HandlerCache cache = new HandlerCache(10, 1_000);

        JobHandler first = handlerOf(cache, 7, new Glue("GLUE_SHELL", "echo", 1));

        assertThat(handlerOf(cache, 7, new Glue("GLUE_SHELL", new String("echo"), 1)))
                .isSameAs(first);
    }

    @Test
    void anotherJobVersionTypeOrSourceHasAnotherHandler() {
        HandlerCache cache = new HandlerCache(10, 1_000);
        JobHandler first = handlerOf(cache, 7, new Glue("GLUE_SHELL", "echo", 1));

        assertThat(handlerOf(cache, 8, new Glue("GLUE_SHELL", "echo", 1))).isNotSameAs(first);
        assertThat(handlerOf(cache, 7, new Glue("GLUE_SHELL", "echo", 2))).isNotSameAs(first);
        assertThat(handlerOf(cache, 7, new Glue("GLUE_PYTHON", "echo", 1))).isNotSameAs(first);
        assertThat(handlerOf(cache, 7, new Glue("GLUE_SHELL", "ls", 1))).isNotSameAs(first);
    }

    @Test
    void theLeastRecentlyUsedIsForgottenWhenThereAreTooMany() {
        HandlerCache cache = new HandlerCache(2, 1_000);
        Glue glue = new Glue("GLUE_SHELL", "echo", 1);
        JobHandler one = handlerOf(cache, 1, glue);
        JobHandler two = handlerOf(cache, 2, glue);
        handlerOf(cache, 1, glue);

        handlerOf(cache, 3, glue);

        assertThat(handlerOf(cache, 1, glue)).isSameAs(one);
        assertThat(handlerOf(cache, 2, glue)).isNotSameAs(two);
    }

    @Test
    void sourcesDoNotTakeMoreMemoryThanAllowed() {
        HandlerCache cache = new HandlerCache(100, 25);
        Glue ten = new Glue("GLUE_SHELL", "0123456789", 1);
        JobHandler one = handlerOf(cache, 1, ten);
        JobHandler two = handlerOf(cache, 2, ten);
        for (int version = 2; version < 100; version++) {
            handlerOf(cache, 2, new Glue("GLUE_SHELL", "9876543210", version));
        }
        assertThat(handlerOf(cache, 1, ten))
                .as("versions of one job count once")
                .isSameAs(one);

        handlerOf(cache, 3, ten);

        assertThat(handlerOf(cache, 2, ten)).isNotSameAs(two);
    }

    private static JobHandler handlerOf(HandlerCache cache, int jobId, Glue glue) {
        return cache.handlerOf(jobId, glue, () -> new JobHandler() {
            @Override
            public RunResult execute(OrthJobContext context) {
                return RunResult.success();
            }
        });
    }
}
