package io.orth.admin.xxlimport;

import io.orth.admin.job.AfterRun;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.xxlimport.ImportReport.Drift;
import io.orth.admin.xxlimport.ImportReport.Entry;
import io.orth.admin.xxlimport.ImportReport.Kind;
import io.orth.admin.xxlimport.ImportReport.Outcome;
import io.orth.admin.xxlimport.XxlJobRows.Outline;
import io.orth.protocol.GlueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.dao.DataIntegrityViolationException;

/** Imports jobs, children first, one page at a time: each page is stored before the next one is read. */
final class JobImport {

    private static final int PAGE = 100;

    /** An Orth job, and an XXL-JOB job that would get the same name. */
    private record SameName(Job here, JobSpec there, SourceEdit source, JobSourceLink from, FiredChild child) {}

    private final XxlJobDatabase database;
    private final JobStore store;
    private final JobMapper mapper;
    private final SourceHistory history;
    private final Map<Integer, GroupTarget> groups;
    private final String installation;
    private final boolean dryRun;
    /** Jobs imported earlier, by their id in XXL-JOB. */
    private final Map<Integer, ImportedJob> before;
    /** Entries of processed jobs, by their id in XXL-JOB. */
    private final Map<Integer, Entry> entries = new HashMap<>();

    private int withAuthor;

    JobImport(
            XxlJobDatabase database,
            JobStore store,
            JobMapper mapper,
            String installation,
            ImportOrder order,
            Map<Integer, GroupTarget> groups) {
        this.database = database;
        this.store = store;
        this.mapper = mapper;
        this.history = new SourceHistory(order.author());
        this.groups = groups;
        this.installation = installation;
        this.before = store.importedFrom(installation);
        this.dryRun = order.dryRun();
    }

    /** Returns the entries ordered by id, followed by earlier imported jobs that were deleted in XXL-JOB. */
    List<Entry> take() {
        List<Outline> outlines = database.outlines();
        Families families = new Families(outlines);
        JobNames names = new JobNames(
                outlines.stream()
                        .filter(outline -> !before.containsKey(outline.id()))
                        .toList(),
                groups,
                before.values());
        Map<Integer, Outline> byId = outlines.stream().collect(Collectors.toMap(Outline::id, Function.identity()));
        List<Integer> order = families.order();
        for (int from = 0; from < order.size(); from += PAGE) {
            List<Integer> page = order.subList(from, Math.min(order.size(), from + PAGE));
            Map<Integer, XxlJobRows.Job> rows = database.jobs(page);
            for (int id : page) {
                entries.put(
                        id,
                        before.containsKey(id)
                                ? known(byId.get(id), rows.get(id), before.get(id), families)
                                : take(byId.get(id), rows.get(id), names.of(id), families));
            }
        }
        return Stream.concat(
                        outlines.stream().map(outline -> entries.get(outline.id())),
                        before.keySet().stream()
                                .filter(id -> !byId.containsKey(id))
                                .sorted()
                                .map(id -> deletedThere(id, before.get(id))))
                .toList();
    }

    /** Returns the number of jobs that have an author in XXL-JOB. */
    int withAuthor() {
        return withAuthor;
    }

    /** Reports a job imported earlier, which is never modified, whatever changed in XXL-JOB or Orth. */
    private Entry known(Outline outline, XxlJobRows.Job row, ImportedJob job, Families families) {
        EntryDraft draft = new EntryDraft(Kind.JOB, outline.id(), job.groupName(), job.name());
        if (row == null) {
            return draft.exists(job.jobId());
        }
        about(row, draft);
        FiredChild child = new FiredChild(families.parentsOf(outline.id()), row);
        return draft.exists(
                job.jobId(),
                RowFields.drift(job.row(), fields(outline, row, textOf(sourceOf(row)))),
                job.enabled() ? List.of() : child.remarksIfPaused());
    }

    private static Entry deletedThere(int sourceId, ImportedJob job) {
        return new EntryDraft(Kind.JOB, sourceId, job.groupName(), job.name())
                .exists(job.jobId(), List.of(new Drift("id", Integer.toString(sourceId), null)), List.of());
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
        about(row, draft);
        if (!name.equals(outline.name())) {
            draft.changed("name was '%s'".formatted(Text.line(outline.name(), 255)));
        }
        families.problemsOf(outline.id()).forEach(draft::notMapped);
        try {
            FiredChild child = new FiredChild(families.parentsOf(outline.id()), row);
            child.remarks().forEach(draft::changed);
            JobSpec spec = mapper.map(row, name, group, !child.byParentsOnly(), draft)
                    .followedBy(new AfterRun(mapper.retries(row, draft), children(row, families, draft)));
            return take(outline, child, spec, draft);
        } catch (OrthException e) {
            return draft.failed(e.getMessage());
        } catch (DataIntegrityViolationException e) {
            return draft.failed("the database refuses it");
        }
    }

    private Entry take(Outline outline, FiredChild child, JobSpec spec, EntryDraft draft) {
        XxlJobRows.Job row = child.row();
        Optional<XxlJobRows.Source> current = sourceOf(row);
        SourceEdit source = current.map(history::edit).orElse(SourceEdit.NONE);
        JobSourceLink from = new JobSourceLink(installation, outline.id(), fields(outline, row, textOf(current)));
        Optional<Job> sameName = store.find(spec, source);
        if (sameName.isPresent()) {
            return sameName(new SameName(sameName.get(), spec, source, from, child), draft);
        }
        List<SourceEdit> versions = current.map(text -> history.versions(
                        text, database.earlierSources(row.id()), edit -> store.find(spec, edit), draft))
                .orElse(List.of());
        return draft.created(
                dryRun
                        ? null
                        : (long) store.create(spec, child.byParentsOnly(), versions, from)
                                .id());
    }

    /**
     * Reports a job with the same name that was not imported from this installation. It counts as the same job only if it runs the same.
     */
    private Entry sameName(SameName found, EntryDraft draft) {
        Job here = found.here();
        boolean sameKind =
                here.spec().execution().glue() == found.there().execution().glue();
        List<String> differences =
                SameJob.differences(here.spec(), found.there(), sameKind && store.hasSource(here, found.source()));
        if (!differences.isEmpty()) {
            return draft.failed("job %d has the same name and is another one: %s. Rename one of them and import again"
                    .formatted(here.id(), String.join("; ", differences)));
        }
        if (!dryRun) {
            store.link(here, found.from());
        }
        return draft.exists(
                here.id(), List.of(), here.enabled() ? List.of() : found.child().remarksIfPaused());
    }

    private void about(XxlJobRows.Job row, EntryDraft draft) {
        draft.wasRunning(row.about().running());
        withAuthor += row.about().author().isBlank() ? 0 : 1;
    }

    /** Returns empty for a job that names a handler. */
    private Optional<XxlJobRows.Source> sourceOf(XxlJobRows.Job row) {
        return row.what().glueType().equals(GlueType.BEAN.name())
                ? Optional.empty()
                : Optional.of(database.currentSource(row.id()));
    }

    private static String textOf(Optional<XxlJobRows.Source> source) {
        return source.map(XxlJobRows.Source::text).orElse("");
    }

    private Map<String, String> fields(Outline outline, XxlJobRows.Job row, String source) {
        GroupTarget group = groups.get(outline.groupId());
        String appName = group == null ? "group %d".formatted(outline.groupId()) : group.appName();
        return RowFields.of(outline, row, appName, source);
    }

    /** Children that a dry run would create have no id yet and are omitted. */
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
