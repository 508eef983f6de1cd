import { getI18n } from "react-i18next";
import { describe, expect, it } from "vitest";
import { toPipelineRun } from "../../api/pipelineRuns";
import { taskStatuses } from "../../api/pipelineTasks";
import { pipelineRunWire } from "../../test/pipelineFactories";
import { newDefinition, withoutVersion, withVersion } from "./definitionText";
import { pipelinePath, pipelineRunPath, taskPath } from "./paths";
import { lastOf } from "./pipelineColumns";
import { pipelineLook } from "./pipelineLook";
import { failureWords } from "./run/FailureAlert";
import { tasksOf } from "./run/StageBars";
import { firstTasks, mostTargets, newKey, newRun, objectOf, runDraft, targetLines, targetsTwice } from "./runFields";
import { toleranceWords } from "./StageCells";

describe("a definition", () => {
  it("is shown without its version and sent with the one it was made from", () => {
    const text = "description: x\nversion: 3\nstages: []\n";
    expect(withoutVersion(text)).toBe("description: x\nstages: []\n");
    expect(withVersion(text, 4)).toBe("version: 4\ndescription: x\nstages: []\n");
  });

  it("keeps what is called a version further in", () => {
    expect(withoutVersion("stages:\n  - name: a\n    version: 1\n")).toContain("version: 1");
  });

  it("may be JSON too, and stays as it is where it is not", () => {
    expect(JSON.parse(withVersion('{"stages":[],"version":1}', 4))).toEqual({ stages: [], version: 4 });
    expect(withVersion("{ stages: [", 4)).toBe("{ stages: [");
  });

  it("that is new has no version of its own", () => {
    expect(withoutVersion(newDefinition)).toBe(newDefinition);
  });
});

describe("a new run", () => {
  it("is about everything where nothing is said", () => {
    const draft = runDraft(newRun());
    expect(draft).toEqual({ scope: {}, options: {} });
    expect(firstTasks(draft)).toBe(1);
  });

  it("takes a target from each line, however it is spaced", () => {
    const { targets, badLine } = targetLines("course algebra-1\n\n  chapter   a b  \n");
    expect(targets).toEqual([
      { targetType: "course", targetId: "algebra-1" },
      { targetType: "chapter", targetId: "a b" },
    ]);
    expect(badLine).toBeNull();
  });

  it("names the first line that is no target", () => {
    expect(targetLines("course a\n\nalgebra\nmore").badLine).toBe(3);
  });

  it("puts targets into the scope, beside what is there", () => {
    const draft = runDraft({ targets: "course a\ncourse b", scope: '{"language":"en"}', options: '{"model":"offline"}' });
    expect(draft.scope).toEqual({ language: "en", targets: [{ targetType: "course", targetId: "a" }, { targetType: "course", targetId: "b" }] });
    expect(draft.options).toEqual({ model: "offline" });
    expect(firstTasks(draft)).toBe(2);
  });

  it("does not take targets in two ways", () => {
    const scope = '{"targets":[]}';
    expect([targetsTwice({ targets: "course a", scope }), targetsTwice({ targets: "", scope }), targetsTwice({ targets: "course a", scope: "" })]).toEqual([true, false, false]);
  });

  it("takes nothing but JSON objects", () => {
    expect(["", " ", "{}", "[]", "null", "7", "{", "text"].map(objectOf)).toEqual([{}, {}, {}, null, null, null, null, null]);
  });

  it("has a key of its own each time", () => {
    const keys = [newKey(), newKey()];
    expect(keys[0]).toMatch(/^console-[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(2);
    expect(mostTargets).toBe(1000);
  });
});

describe("words and looks", () => {
  it("differ from status to status by more than colour", () => {
    expect(new Set(taskStatuses.map((status) => pipelineLook[status].Icon)).size).toBe(taskStatuses.length);
  });

  it("say how much may fail", () => {
    const { t } = getI18n();
    expect(["ALL", "0", "ALWAYS", "5%", "1", "1200"].map((tolerance) => toleranceWords(tolerance, t))).toEqual(["none", "none", "all", "5% of the tasks", "1 task", "1,200 tasks"]);
  });

  it("say why a run failed: in a sentence, or as the server does", () => {
    const { t } = getI18n();
    const failure = toPipelineRun(pipelineRunWire("FAILED")).failure;
    expect(failure && failureWords(failure, t).title).toBe("Stage write failed: 3 of 40 tasks did not succeed. May fail: 5% of the tasks");
    expect(failureWords({ code: "X", message: "", detail: "why" }, t)).toEqual({ title: "This run has failed", more: "X why" });
    expect(failureWords({ code: "", message: "it broke", detail: "" }, t)).toEqual({ title: "it broke", more: "" });
  });

  it("lead to what has signs of its own in its name", () => {
    expect([pipelinePath("a.b"), pipelineRunPath("7"), taskPath("7", "8"), tasksOf("7", "a b", "FAILED")]).toEqual([
      "/pipelines/a.b",
      "/pipeline-runs/7",
      "/pipeline-runs/7?task=8",
      "/pipeline-runs/7?stage=a%20b&status=FAILED",
    ]);
  });

  it("show the last runs of one pipeline, the newest last", () => {
    const runs = Array.from({ length: 12 }, (_, index) => toPipelineRun(pipelineRunWire("COMPLETED", { id: String(12 - index), pipeline: index === 0 ? "other" : "courses" })));
    expect(lastOf(runs, "courses").map((run) => run.id)).toEqual(["4", "5", "6", "7", "8", "9", "10", "11"]);
  });
});
