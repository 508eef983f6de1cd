import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { Subject } from "./AlarmsPage";

const links = (alarm: Omit<Parameters<typeof Subject>[0]["alarm"], "notices">): Array<[string | null, string | null]> => {
  render(
    <MemoryRouter>
      <Subject alarm={{ ...alarm, notices: 0 }} />
    </MemoryRouter>,
  );
  return screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
};

describe("an alarm in the list", () => {
  afterEach(cleanup);

  it("links the failed runs of jobs and of pipelines that it is about", () => {
    expect(links({ runs: 2, firstRun: "7", pipelineRunCount: 1, samplePipelineRunId: "71" })).toEqual([
      ["2 runs", "/runs/7"],
      ["1 pipeline run", "/pipeline-runs/71"],
    ]);
  });

  it("links a failed run of a pipeline alone", () => {
    expect(links({ runs: 0, firstRun: null, pipelineRunCount: 3, samplePipelineRunId: "71" })).toEqual([
      ["3 pipeline runs", "/pipeline-runs/71"],
    ]);
  });
});
