package io.orth.admin.api;

import io.orth.admin.alarm.Alarm;
import io.orth.admin.alarm.Alarms;
import io.orth.admin.alarm.Channel;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.net.URI;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for alarm channels, and for the alarms about failed job and pipeline runs and about queue alerts. */
@RestController
@RequestMapping("/api/alarms")
class AlarmsApi {

    private final Alarms alarms;

    AlarmsApi(Alarms alarms) {
        this.alarms = alarms;
    }

    /** Result of a test; {@code problem} is null if the message was sent. */
    record Tested(boolean sent, String problem) {}

    /** Lists alarms, newest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<Alarm> list(PageRequest page) {
        return Page.of(alarms.list(page.after().orElse(Long.MAX_VALUE), page.rows()), page, Alarm::id);
    }

    @GetMapping("/channels")
    @Access(Role.VIEWER)
    Page<ChannelView> channels() {
        return new Page<>(alarms.channels().stream().map(ChannelView::of).toList(), null);
    }

    @PostMapping("/channels")
    @Access(Role.ADMIN)
    ResponseEntity<ChannelView> create(@RequestBody ChannelBody body, ApiCall call) {
        Channel channel = alarms.create(body.toSpec(null));
        call.about("alarm channel", channel.id(), channel.spec().name());
        return ResponseEntity.created(URI.create("/api/alarms/channels/" + channel.id()))
                .body(ChannelView.of(channel));
    }

    @GetMapping("/channels/{id}")
    @Access(Role.VIEWER)
    ChannelView channel(@PathVariable String id) {
        return ChannelView.of(alarms.channel(Ids.parseInt("id", id)));
    }

    @PutMapping("/channels/{id}")
    @Access(Role.ADMIN)
    ChannelView update(@PathVariable String id, @RequestBody ChannelBody body, ApiCall call) {
        int channelId = Ids.parseInt("id", id);
        call.about("alarm channel", channelId, body.name());
        if (body.version() == null) {
            throw OrthException.invalid("version", "is missing: give the one that was loaded");
        }
        Channel before = alarms.channel(channelId);
        return ChannelView.of(alarms.update(channelId, body.version(), body.toSpec(before.spec())));
    }

    @DeleteMapping("/channels/{id}")
    @Access(Role.ADMIN)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id, ApiCall call) {
        int channelId = Ids.parseInt("id", id);
        call.about("alarm channel", channelId, alarms.channel(channelId).spec().name());
        alarms.delete(channelId);
    }

    /** Sends a test message and responds with the result. */
    @PostMapping("/channels/{id}/test")
    @Access(Role.ADMIN)
    Tested test(@PathVariable String id, ApiCall call) throws InterruptedException {
        int channelId = Ids.parseInt("id", id);
        call.about("alarm channel", channelId, "test");
        Optional<String> problem = alarms.test(channelId);
        return new Tested(problem.isEmpty(), problem.orElse(null));
    }
}
