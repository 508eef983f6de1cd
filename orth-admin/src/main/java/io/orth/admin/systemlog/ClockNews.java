package io.orth.admin.systemlog;

import io.orth.admin.kernel.DatabaseClock.Setback;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once that the database clock went back, which stops all work that depends on it, and once that it has caught up. */
final class ClockNews implements Duty {

    private static final Logger lines = LoggerFactory.getLogger(ClockNews.class);

    private final Supplier<Optional<Setback>> clock;
    private final SystemLog log;
    /** Size of the setback that was logged last; null if the clock has caught up since. Used by the loop's thread only. */
    private Duration told;

    ClockNews(Supplier<Optional<Setback>> clock, SystemLog log) {
        this.clock = clock;
        this.log = log;
    }

    @Override
    public Pass run() {
        Optional<Setback> setback = clock.get();
        if (setback.isEmpty()) {
            tellThatItHasCaughtUp();
        } else if (!setback.get().by().equals(told)) {
            tell(setback.get());
        }
        return Pass.DRAINED;
    }

    private void tell(Setback setback) {
        told = setback.by();
        String news =
                "the database's clock went back by %.1f s: what goes by its time, such as schedules, pushes and claims, stops until "
                                .formatted(seconds(setback.by()))
                        + "it has caught up in %.0f s".formatted(seconds(setback.left()));
        lines.warn(news);
        log.warn(news);
    }

    private void tellThatItHasCaughtUp() {
        if (told != null) {
            told = null;
            String news = "the database's clock has caught up with the time it showed before it went back";
            lines.info(news);
            log.info(news);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
