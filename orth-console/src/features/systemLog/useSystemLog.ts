import type { Problem } from "../../api/problem";
import type { LogLine } from "../../api/systemLog";
import { SystemLogStream } from "../../api/systemLogStream";
import type { WatchState } from "../../api/watchedStream";
import { type StreamView, useStream } from "../../lib/useStream";

export type WatchedLog = {
  rows: readonly LogLine[];
  state: WatchState;
  missed: number;
  problem: Problem | null;
  pause: () => void;
  resume: () => void;
};

const nothing = (): void => undefined;

const view: StreamView<SystemLogStream, WatchedLog> = {
  open: (_, onChange) => new SystemLogStream({ onChange }),
  shownOf: (stream) => {
    const { rows, state, missed, problem } = stream;
    return { rows, state, missed, problem, pause: () => stream.pause(), resume: () => stream.resume() };
  },
  begin: { rows: [], state: "connecting", missed: 0, problem: null, pause: nothing, resume: nothing },
};

/** The newest lines of the system log, as they come. */
export const useSystemLog = (): WatchedLog => useStream(view, "");
