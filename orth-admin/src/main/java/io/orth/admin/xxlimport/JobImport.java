package io.orth.admin.xxlimport;

import io.orth.admin.job.AfterRun;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.xxlimport.ImportReport.Entry;
import io.orth.admin.xxlimport.ImportReport.Kind;
import io.orth.admin.xxlimport.ImportReport.Outcome;
import io.orth.admin.xxlimport.XxlJobRows.Outline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.dao.DataIntegrityViolationException;

/** Makes jobs of foreign ones, children first, a page at a time: what is read is stored before the next is read. */
final class JobImport {

    private static final int PAGE = 100;

    private final XxlJobDatabase database;
    private final JobStore store;
    private final JobMapper mapper;
    private final SourceHistory history;
    private final Map<Integer, GroupTarget> groups;
    private final boolean dryRun;
    /** Of the jobs that were looked at, by their foreign ids. */
    private final Map<Integer, Entry> entries = new HashMap<>();

    private int withAuthor;

    JobImport(
            XxlJobDatabase database,
            JobStore store,
            JobMapper mapper,
            ImportOrder order,
            Map<Integer, GroupTarget> groups) {
        this.database = database;
        this.store = store;
        this.mapper = mapper;
        this.history = new SourceHistory(order.author());
        this.groups = groups;
        this.dryRun = order.dryRun();
    }

    /** In the order of their ids. */
    List<Entry> take() {
        List<Outline> outlines = database.outlines();
        Families families = new Families(outlines);
        JobNames names = new JobNames(outlines, groups);
        Map<Integer, Outline> byId = outlines.stream().collect(Collectors.toMap(Outline::id, Function.identity()));
        List<Integer> order = families.order();
        for (int from = 0; from < order.size(); from += PAGE) {
            List<Integer> page = order.subList(from, Math.min(order.size(), from + PAGE));
            Map<Integer, XxlJobRows.Job> rows = database.jobs(page);
            for (int id : page) {
                entries.put(id, take(byId.get(id), rows.get(id), names.of(id), families));
            }
        }
        return outlines.stream().map(outline -> entries.get(outline.id())).toList();
    }

    /** How many jobs have an author there. */
    int withAuthor() {
        return withAuthor;
    }

    private Entry take(Outline outline, XxlJobRows.Job row, String name, Families families) {
        GroupTarget group = groups.get(outline.groupId());
        EntryDraft draft = new EntryDraft(Kind.JOB, outline.id(), group == null ? null : group.name(), name);
        if (group == null) {
            return draft.failed("its executor group %d is not there".formatted(outline.groupId()));
        }
        if (row == null) {
            return draft.failed("it was deleted while it was read");
        }
        draft.wasRunning(row.about().running());
        withAuthor += row.about().author().isBlank() ? 0 : 1;
        if (!name.equals(outline.name())) {
            draft.changed("name was '%s'".formatted(Text.cut(Text.oneLine(outline.name()), 255)));
        }
        families.problemsOf(outline.id()).forEach(draft::notMapped);
        try {
            return take(row, mapper.map(row, name, group, draft), families, draft);
        } catch (OrthException e) {
            return draft.failed(e);
        } catch (DataIntegrityViolationException e) {
            return draft.failed("the database refuses it");
        }
    }

    private Entry take(XxlJobRows.Job row, JobSpec plain, Families families, EntryDraft draft) {
        JobSpec spec = plain.followedBy(new AfterRun(mapper.retries(row, draft), children(row, families, draft)));
        Optional<XxlJobRows.Source> current =
                spec.execution().isSource() ? Optional.of(database.currentSource(row.id())) : Optional.empty();
        SourceEdit source = current.map(history::current).orElse(SourceEdit.NONE);
        Optional<Job> there = store.find(spec, source);
        if (there.isPresent()) {
            return draft.exists(there.get().id());
        }
        List<SourceEdit> versions = current.map(text -> history.versions(
                        text, database.earlierSources(row.id()), edit -> store.find(spec, edit), draft))
                .orElse(List.of());
        return draft.created(dryRun ? null : (long) store.create(spec, versions).id());
    }

    /** In a dry run those that would be made have no id yet, and are left out of the description. */
    private List<ChildJob> children(XxlJobRows.Job row, Families families, EntryDraft draft) {
        List<ChildJob> children = new ArrayList<>();
        for (int child : families.childrenOf(row.id())) {
            Entry entry = entries.get(child);
            if (entry.outcome() == Outcome.FAILED) {
                draft.notMapped("child %d was not imported".formatted(child));
            } else if (entry.id() != null) {
                children.add(new ChildJob(entry.id().intValue(), ChildJob.Pass.NONE, null));
            }
        }
        return children;
    }
}
