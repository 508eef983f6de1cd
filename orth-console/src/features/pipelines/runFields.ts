import type { RunDraft, Target } from "../../api/pipelineRuns";

/** The form of a new run: targets one a line, and two JSON objects. */
export type RunFields = { targets?: string; scope?: string; options?: string };

export const newRun = (): RunFields => ({ targets: "", scope: "", options: "" });

/** The server takes no more at once. */
export const mostTargets = 1000;

type Lines = { targets: Target[]; /** The first that is no target; null where all are. */ badLine: number | null };

/** A target is its type and its id with a space between; ids may have spaces themselves. */
export function targetLines(text: string | undefined): Lines {
  const targets: Target[] = [];
  let badLine: number | null = null;
  for (const [index, line] of (text ?? "").split("\n").entries()) {
    const [, targetType, targetId] = /^(\S+)\s+(.+)$/u.exec(line.trim()) ?? [];
    if (targetType !== undefined && targetId !== undefined) {
      targets.push({ targetType, targetId });
    } else if (line.trim() !== "") {
      badLine ??= index + 1;
    }
  }
  return { targets, badLine };
}

/** An empty text is an empty object; null where it is none. */
export function objectOf(text: string | undefined): Record<string, unknown> | null {
  if ((text ?? "").trim() === "") {
    return {};
  }
  try {
    const value = JSON.parse(text ?? "") as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Whether the targets are given in two ways. */
export const targetsTwice = (fields: RunFields): boolean =>
  targetLines(fields.targets).targets.length > 0 && "targets" in (objectOf(fields.scope) ?? {});

/** How many tasks the first stage has: one for all where there is no target. */
export function firstTasks(draft: RunDraft): number {
  const { targets } = draft.scope;
  return Array.isArray(targets) && targets.length > 0 ? targets.length : 1;
}

export function runDraft(fields: RunFields): RunDraft {
  const { targets } = targetLines(fields.targets);
  return {
    scope: { ...objectOf(fields.scope), ...(targets.length === 0 ? {} : { targets }) },
    options: objectOf(fields.options) ?? {},
  };
}

/** A key that nobody else has. Plain HTTP has no randomUUID. */
export const newKey = (): string =>
  `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
