import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { type ImportEntry, type ImportReport, needsALook } from "../../api/xxlImports";
import { XxlImportReport } from "./XxlImportReport";

const entry = (fields: Partial<ImportEntry>): ImportEntry => ({
  kind: "JOB",
  sourceId: "1",
  group: "billing",
  name: "nightly",
  outcome: "EXISTS",
  id: "7",
  wasRunning: false,
  changed: [],
  notMapped: [],
  drift: [],
  problem: null,
  ...fields,
});

const report = (entries: ImportEntry[]): ImportReport => ({
  dryRun: true,
  source: "db:3306/xxl_job",
  groups: { created: 0, exists: 0, failed: 0 },
  jobs: { created: 0, exists: entries.length, failed: 0 },
  users: { created: 0, exists: 0, failed: 0 },
  entries,
  leftOut: [],
});

const show = (entries: ImportEntry[]) =>
  render(
    <MemoryRouter>
      <XxlImportReport report={report(entries)} />
    </MemoryRouter>,
  );

describe("the report of an import from XXL-JOB @must-first", () => {
  const drifted = entry({ drift: [{ field: "schedule_conf", imported: "0 0 3 * * ?", current: "0 0 4 * * ?" }] });

  it("lists each field that was changed there since the import", () => {
    show([drifted, entry({ sourceId: "2", drift: [{ field: "id", imported: "2", current: null }] })]);
    expect(screen.getByText("Changed in XXL-JOB since the import: schedule_conf was “0 0 3 * * ?”, now “0 0 4 * * ?”")).toBeDefined();
    expect(screen.getByText("Deleted in XXL-JOB since the import")).toBeDefined();
  });

  it("counts drift among what needs a look", () => {
    expect(needsALook(drifted)).toBe(true);
    expect(needsALook(entry({}))).toBe(false);
  });
});
