package io.orth.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.bench.schedule.Sightings.Sighting;
import io.orth.bench.schedule.Sightings.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SightingsTest {

    @Test
    void readsBackRecordedSightings(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("seen");
        try (Sightings.Recorder recorder = new Sightings.Recorder(file)) {
            recorder.saw(1, 1_000);
            recorder.saw(2, 1_000);
        }

        Verdict verdict = Sightings.read(file).judge(2, 1_000, 2_000);

        assertThat(verdict.lost()).isZero();
        assertThat(verdict.doubled()).isZero();
        assertThat(verdict.medianMillis()).isPositive();
    }

    @Test
    void missingAndRepeatedInstantsOfTheWindowAreCounted() {
        Sightings sightings = new Sightings(List.of(
                new Sighting(1, 1_000, 1_010),
                new Sighting(1, 1_000, 1_020),
                new Sighting(2, 2_000, 2_030),
                new Sighting(1, 3_000, 3_000)));

        Verdict verdict = sightings.judge(2, 1_000, 3_000);

        assertThat(verdict).isEqualTo(new Verdict(4, 2, 1, 20, 30, 30));
        assertThat(verdict.held()).isFalse();
    }

    @Test
    void onePercentMayBeLater() {
        Sightings sightings = new Sightings(LongStream.range(0, 200)
                .mapToObj(second -> new Sighting(1, second * 1_000, second * 1_000 + (second < 2 ? 5_000 : 3)))
                .toList());

        Verdict verdict = sightings.judge(1, 0, 200_000);

        assertThat(verdict).isEqualTo(new Verdict(200, 0, 0, 3, 3, 5_000));
        assertThat(verdict.held()).isTrue();
    }

    @Test
    void countsEverythingLostWithoutSightings() {
        Verdict verdict = new Sightings(List.of()).judge(3, 0, 2_000);

        assertThat(verdict.lost()).isEqualTo(6);
        assertThat(verdict.held()).isFalse();
    }
}
