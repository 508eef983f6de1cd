package io.orth.admin.api;

import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetter;
import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.DeadLetterGroups;
import io.orth.admin.deadletter.DeadLetterGroups.Group;
import io.orth.admin.deadletter.DeadLetterList;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.Queues;
import io.orth.admin.security.Access;
import io.orth.admin.security.Access.Audited;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for dead letters: messages that failed their last attempt, and failed runs without a further retry. */
@RestController
@RequestMapping("/api/dead-letters")
class DeadLettersApi {

    private static final int GROUPS = 50;
    private static final int MOST_GROUPS = 200;

    /** Id that no queue has. */
    private static final int UNKNOWN_QUEUE = -1;

    private final DeadLetterList letters;
    private final DeadLetterGroups groups;
    private final DeadLetterExport export;
    private final Queues queues;

    DeadLettersApi(DeadLetterList letters, DeadLetterGroups groups, DeadLetterExport export, Queues queues) {
        this.letters = letters;
        this.groups = groups;
        this.export = export;
        this.queues = queues;
    }

    record GroupList(List<Group> items) {}

    /**
     * Lists dead letters, newest first. A page may have fewer items than requested, or none, and still a {@code next}: the scan has reached
     * its limit, and the next page continues from there.
     */
    @GetMapping
    @Access(Role.VIEWER)
    Page<DeadLetter> list(DeadLetterQuery filter, PageRequest page) {
        DeadLetterList.Found found = letters.page(parse(filter), page.after(), page.limit());
        return new Page<>(found.letters(), Objects.toString(found.next(), null));
    }

    /** Groups dead letters by fingerprint, largest group first. */
    @GetMapping("/groups")
    @Access(Role.VIEWER)
    GroupList groups(
            @RequestParam(required = false) DeadKind kind,
            @RequestParam(required = false) String queue,
            @RequestParam(required = false) String jobId,
            @RequestParam(required = false) String limit) {
        DeadLetterFilter filter = parse(new DeadLetterQuery(kind, queue, jobId, null, null, null, null, null, null));
        return new GroupList(groups.list(filter, groupLimit(limit)));
    }

    private static int groupLimit(String text) {
        if (text == null) {
            return GROUPS;
        }
        int limit = PageRequest.of(text, null).limit();
        if (limit > MOST_GROUPS) {
            throw OrthException.invalid("limit", "must be a number from 1 to " + MOST_GROUPS);
        }
        return limit;
    }

    /** Exports complete dead letters as JSON Lines, newest first. */
    @GetMapping("/export")
    @Access(value = Role.OPERATOR, audited = Audited.ALWAYS)
    void export(DeadLetterQuery filter, HttpServletRequest request, HttpServletResponse response) throws IOException {
        AuditNote.about(request, "dead letters", "export", request.getQueryString());
        DeadLetterFilter wanted = parse(filter);
        response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
        response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"dead-letters.ndjson\"");
        export.write(wanted, response.getOutputStream());
    }

    /** Parses a filter. An unknown queue has no dead letters. */
    private DeadLetterFilter parse(DeadLetterQuery query) {
        return query.toFilter(name -> queues.find(name).map(Queue::id).orElse(UNKNOWN_QUEUE));
    }
}
