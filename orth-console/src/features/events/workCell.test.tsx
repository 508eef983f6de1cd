import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { toTransition, type TransitionWire } from "../../api/transitions";
import { transitionWire } from "../../test/factories";
import { WorkCell } from "./WorkCell";

const nothing: TransitionWire["work"] = {
  ...transitionWire().work,
  jobId: null,
  jobName: null,
  handler: null,
  groupId: null,
  rootId: null,
};

const show = (entity: TransitionWire["entity"], work: Partial<TransitionWire["work"]>) =>
  render(
    <MemoryRouter>
      <WorkCell of={toTransition(transitionWire({ entity, entityId: "9", work: { ...nothing, ...work } }))} />
    </MemoryRouter>,
  );

describe("work of an event @must-kernel", () => {
  afterEach(cleanup);

  const task = { rootId: "5", pipeline: "hydrate", stage: "courses", targetType: "course", targetId: "c1" };

  it("names pipeline, stage, target and attempt of a task", () => {
    show("PIPELINE_TASK", { ...task, attempt: 2 });

    expect(screen.getByRole("link", { name: "hydrate / courses" }).getAttribute("href")).toBe("/pipeline-runs/5?task=9");
    expect(screen.queryByText("course c1 · Attempt 2")).not.toBeNull();
  });

  it("leads from a message to the task that it carries", () => {
    show("MESSAGE", { ...task, queue: "q", taskId: "7", attempt: 1 });

    expect(screen.getByRole("link", { name: "hydrate / courses" }).getAttribute("href")).toBe("/pipeline-runs/5?task=7");
  });

  it("names queue and attempt of other messages", () => {
    show("MESSAGE", { queue: "emails", attempt: 3 });

    expect(screen.getByRole("link", { name: "emails" }).getAttribute("href")).toBe("/queues/emails");
    expect(screen.queryByText("Attempt 3")).not.toBeNull();
  });
});
