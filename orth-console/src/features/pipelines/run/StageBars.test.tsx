import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { type PipelineRunWire, toPipelineRun } from "../../../api/pipelineRuns";
import { pipelineRunWire } from "../../../test/pipelineFactories";
import { RunBar } from "./runColumns";
import { StageBar } from "./StageBars";

const write = { name: "write", status: "RUNNING", paused: false, expected: null, created: 100, completed: 20, failed: 5, cancelled: 0, open: null } as const;

const runOf = (change: Partial<PipelineRunWire>) => toPipelineRun(pipelineRunWire("RUNNING", change));

const partsOf = (growing: boolean, stage: PipelineRunWire["stages"][number]): string[] => {
  const [progress] = runOf({ stages: [stage] }).stages;
  const { container } = render(progress === undefined ? null : <StageBar stage={progress} growing={growing} />);
  return [...container.querySelectorAll<HTMLElement>(".bar-part")].map(({ className, style }) => `${className.split("-").at(-1)} ${style.flexGrow}`);
};

describe("the bar of a stage @must-first", () => {
  afterEach(cleanup);

  it("shows what is missing of the tasks that are known, and that more are made", () => {
    expect(partsOf(true, write)).toEqual(["completed 20", "failed 5", "open 75", "unknown 25"]);
  });

  it("has no striped end once all tasks are made or the run is over", () => {
    expect(partsOf(true, { ...write, expected: 100, open: 75 })).toEqual(["completed 20", "failed 5", "open 75"]);
    expect(partsOf(false, write)).toEqual(["completed 20", "failed 5", "open 75"]);
  });

  it("is empty before its first task", () => {
    expect(partsOf(true, { ...write, created: 0, completed: 0, failed: 0 })).toEqual([]);
  });
});

describe("the bar of a run @must-first", () => {
  afterEach(cleanup);

  it("shows the share of its tasks", () => {
    const { container } = render(<RunBar run={runOf({ progress: 5, finishedTasks: 1251, totalTasks: 24_241 })} />);
    expect(container.textContent).toBe("5%");
    expect(container.querySelector(".run-bar-growing")).toBeNull();
  });

  it("is striped and counts tasks while more are made", () => {
    const { container } = render(<RunBar run={runOf({ progress: 5, finishedTasks: 1251, totalTasks: 24_241, fanningOut: true })} />);
    expect(container.textContent).toBe("1,251 / 24,241+");
    expect(screen.getByRole("progressbar").className).toContain("run-bar-growing");
  });
});
