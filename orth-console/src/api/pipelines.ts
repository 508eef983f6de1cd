import { get, path, post, remove, request, requestText, withQuery } from "./http";
import type { Page } from "./page";
import type { RetryPolicy } from "./retry";

/** One step of a pipeline: its tasks go to a queue or to a webhook. */
export type Stage = RetryPolicy & {
  name: string;
  handler: string;
  queue: string | null;
  webhook: string | null;
  /** How many may be under way at once; null for as many as there are workers for. */
  concurrency: number | null;
  /** How many failed tasks it bears: `ALL` must succeed, a number, a percentage, or it goes on `ALWAYS`. */
  tolerance: string;
};

/** A stage as it is now. */
export type LiveStage = Stage & { paused: boolean };

/** As the API sends it: times are ISO text. */
export type PipelineWire = {
  name: string;
  description: string | null;
  version: number;
  paused: boolean;
  stages: LiveStage[];
  /** Who made this version. */
  updatedBy: string | null;
  updatedAt: string;
};

export type Pipeline = Omit<PipelineWire, "description" | "updatedAt"> & { description: string; updatedAt: Date };

export const toPipeline = (wire: PipelineWire): Pipeline => ({
  ...wire,
  description: wire.description ?? "",
  updatedAt: new Date(wire.updatedAt),
});

export type PipelineVersionWire = {
  version: number;
  description: string | null;
  stages: Stage[];
  createdBy: string | null;
  createdAt: string;
};

/** What a pipeline was at some time. */
export type PipelineVersion = Omit<PipelineVersionWire, "description" | "createdAt"> & { description: string; createdAt: Date };

export const toPipelineVersion = (wire: PipelineVersionWire): PipelineVersion => ({
  ...wire,
  description: wire.description ?? "",
  createdAt: new Date(wire.createdAt),
});

/** `paused` where nothing of any pipeline begins. */
export type Pipelines = { paused: boolean; items: Pipeline[] };

/** What a kill switch stops: everything, one pipeline, or one stage of it. */
export type Switch = { pipeline: string | null; stage: string | null };

/** Whether anything of it is held back by a switch of its own. */
export const isHeld = (pipeline: Pipeline): boolean => pipeline.paused || pipeline.stages.some((stage) => stage.paused);

export const pipelineKeys = {
  all: ["pipelines"] as const,
  list: ["pipelines", "list"] as const,
  one: (name: string) => [...pipelineKeys.all, "one", name] as const,
  text: (name: string) => [...pipelineKeys.one(name), "text"] as const,
  versions: (name: string) => [...pipelineKeys.one(name), "versions"] as const,
};

export const listPipelines = async (signal?: AbortSignal): Promise<Pipelines> => {
  const { paused, items } = await get<{ paused: boolean; items: PipelineWire[] }>("/api/pipelines", signal);
  return { paused, items: items.map(toPipeline) };
};

export const readPipeline = async (name: string, signal?: AbortSignal): Promise<Pipeline> =>
  toPipeline(await get<PipelineWire>(path`/api/pipelines/${name}`, signal));

const yaml = "application/yaml";

/** The definition as people write it. */
export const readPipelineText = (name: string, signal?: AbortSignal): Promise<string> =>
  requestText("GET", withQuery(path`/api/pipelines/${name}`, { format: "yaml" }), { headers: { Accept: yaml }, signal });

/** JSON is YAML too, so one way to read serves both. */
export const putPipelineText = async (name: string, text: string): Promise<Pipeline> =>
  toPipeline(await request<PipelineWire>("PUT", path`/api/pipelines/${name}`, { file: { type: yaml, text } }));

export const removePipeline = (name: string): Promise<void> => remove(path`/api/pipelines/${name}`);

/** The newest first. */
export const listPipelineVersions = async (name: string, signal?: AbortSignal): Promise<PipelineVersion[]> =>
  (await get<Page<PipelineVersionWire>>(path`/api/pipelines/${name}/versions`, signal)).items
    .map(toPipelineVersion)
    .toSorted((one, other) => other.version - one.version);

export const turn = ({ pipeline, stage }: Switch, paused: boolean): Promise<unknown> => {
  const word = paused ? "pause" : "resume";
  if (pipeline === null) {
    return post(path`/api/pipelines/${word}`);
  }
  return stage === null
    ? post(path`/api/pipelines/${pipeline}/${word}`)
    : post(path`/api/pipelines/${pipeline}/stages/${stage}/${word}`);
};
