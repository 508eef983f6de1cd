package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.kernel.DatabaseClock.Setback;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.core.io.ClassPathResource;

@Tag("must-first")
class DatabaseClockHealthTest {

    @Test
    void reportsHowFarClockIsBehind() {
        Setback setback = new Setback(Duration.ofSeconds(60), Duration.ofSeconds(54));

        Health health = new DatabaseClockHealth(() -> Optional.of(setback)).health();

        assertThat(health.getStatus().getCode()).isEqualTo("DATABASE_CLOCK_BEHIND");
        assertThat(health.getDetails())
                .containsEntry("wentBackByMillis", 60_000L)
                .containsEntry("behindMillis", 54_000L);
    }

    @Test
    void advancingClockIsUp() {
        assertThat(new DatabaseClockHealth(Optional::empty).health().getStatus())
                .isEqualTo(Status.UP);
    }

    @Test
    void determinesOverallHealthUnlessSomethingIsWorse() {
        StatusAggregator all = StatusAggregator.of(order());

        assertThat(all.getAggregateStatus(Status.UP, DatabaseClockHealth.BEHIND, Status.UNKNOWN))
                .isEqualTo(DatabaseClockHealth.BEHIND);
        assertThat(all.getAggregateStatus(DatabaseClockHealth.BEHIND, Status.DOWN))
                .isEqualTo(Status.DOWN);
    }

    private static Status[] order() {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ClassPathResource("application.yml"));
        String order = yaml.getObject().getProperty("management.endpoint.health.status.order");
        return Arrays.stream(order.split(",", -1)).map(Status::new).toArray(Status[]::new);
    }
}
