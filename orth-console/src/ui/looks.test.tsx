import { render, screen } from "@testing-library/react";
import dayjs from "dayjs";
import { describe, expect, it } from "vitest";
import { executorStatuses } from "../api/executors";
import { runStatuses, toRun } from "../api/runs";
import { noSchedule } from "../api/schedules";
import { executorLook } from "../features/executors/executorColumns";
import { draftOf, fieldsOf, scheduleOf } from "../features/jobs/jobFields";
import { toJob } from "../api/jobs";
import { LogLine } from "../features/runs/log/LogLine";
import { RunProgress } from "../features/runs/log/RunProgress";
import { plainStyle } from "../lib/ansi";
import { jobWire, runWire } from "../test/factories";
import { StatusTag, statusLook } from "./runStatus";

describe("a status tag", () => {
  it("has the colour that belongs to each status", () => {
    expect(Object.fromEntries(runStatuses.map((status) => [status, statusLook[status].color]))).toEqual({
      INIT: "default",
      PENDING: "processing",
      SUCCESS: "success",
      FAILED: "error",
      TIMEOUT: "warning",
      TRIGGER_FAILED: "error",
      SKIPPED: "default",
    });
  });

  it("says the status and both codes", () => {
    render(runStatuses.map((status) => <StatusTag key={status} of={toRun(runWire(status))} />));
    const labels = ["Init 0/0", "Pending 200/0", "Success 200/200", "Failed 200/500", "Timeout 200/502", "Trigger Failed 500/0", "Skipped 409/0"];
    expect(labels.map((label) => screen.getByText(label).textContent)).toEqual(labels);
  });

  it("has a different icon for each status, so that colour is not all", () => {
    expect(new Set(runStatuses.map((status) => statusLook[status].Icon)).size).toBe(runStatuses.length);
    expect(new Set(executorStatuses.map((status) => executorLook[status].Icon)).size).toBe(executorStatuses.length);
  });
});

describe("the progress of a run", () => {
  it("is shown while the run goes on and says how far it is", () => {
    render(<RunProgress run={toRun(runWire("PENDING"))} percent={40} />);
    expect(screen.getByRole("progressbar", { name: "Progress of the run" }).getAttribute("aria-valuenow")).toBe("40");
  });

  it("is not shown for a run that does not say, or has ended", () => {
    const silent = render(<RunProgress run={toRun(runWire("PENDING"))} percent={null} />);
    const ended = render(<RunProgress run={toRun(runWire("SUCCESS"))} percent={40} />);
    expect([silent.container.innerHTML, ended.container.innerHTML]).toEqual(["", ""]);
  });
});

describe("a line of a log", () => {
  it("shows markup as text", () => {
    const text = '<img src=x onerror="alert(1)"><b>bold</b>';
    const { container } = render(<LogLine number={1} text={text} style={plainStyle} rows={1} />);
    expect(container.querySelector(".log-text")?.textContent).toBe(text);
    expect(container.querySelector("img, b")).toBeNull();
  });

  it("is cut when it is very long, and says so", () => {
    const { container } = render(<LogLine number={1} text={"x".repeat(20_000)} style={plainStyle} rows={1} />);
    expect(container.textContent).toContain("… 12,000 more characters");
  });
});

describe("the fields of a job", () => {
  it("survive the way through the form", () => {
    const schedules = [
      { ...noSchedule, type: "CRON", cron: "0 0 2 * * ?", zone: "Asia/Shanghai", start: "2030-01-01T00:00:00.000Z" },
      { ...noSchedule, type: "FIXED_RATE", interval: "PT7200S", end: "2030-01-01T00:00:00.000Z" },
      { ...noSchedule, type: "FIXED_DELAY", interval: "PT0.1S" },
      { ...noSchedule, type: "ONE_SHOT", at: "2030-01-01T00:00:00.000Z" },
      noSchedule,
    ] as const;
    for (const schedule of schedules) {
      const job = toJob(jobWire({ schedule, param: "10", misfire: "FIRE_ONCE", enabled: false }));
      const { name, groupId, handler, param, misfire, enabled, version } = job;
      expect(draftOf(fieldsOf(job), version)).toMatchObject({ name, groupId, handler, param, schedule, misfire, enabled, version });
    }
  });

  it("send only what belongs to the kind of schedule", () => {
    const at = dayjs("2030-01-01T00:00:00.000Z");
    const iso = at.toISOString();
    const fields = { cron: " 0 0 2 * * ? ", zone: "UTC", amount: 5, unit: "minutes", at, start: at, end: at } as const;
    const window = { start: iso, end: iso };
    expect(scheduleOf({ ...fields, type: "CRON" })).toEqual({ ...noSchedule, ...window, type: "CRON", cron: "0 0 2 * * ?", zone: "UTC" });
    expect(scheduleOf({ ...fields, type: "FIXED_RATE" })).toEqual({ ...noSchedule, ...window, type: "FIXED_RATE", interval: "PT300S" });
    expect(scheduleOf({ ...fields, type: "ONE_SHOT" })).toEqual({ ...noSchedule, type: "ONE_SHOT", at: iso });
    expect(scheduleOf({ ...fields, type: "NONE" })).toEqual(noSchedule);
  });
});
