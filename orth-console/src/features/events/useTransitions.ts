import type { Problem } from "../../api/problem";
import { type TransitionFilter, TransitionStream, type Watched } from "../../api/transitionStream";
import type { WatchState } from "../../api/watchedStream";
import { type StreamView, useStream } from "../../lib/useStream";

export type WatchedTransitions = {
  rows: readonly Watched[];
  state: WatchState;
  gapAt: Date | null;
  problem: Problem | null;
  pause: () => void;
  resume: () => void;
};

const nothing = (): void => undefined;

const view: StreamView<TransitionStream, WatchedTransitions> = {
  open: (wanted, onChange) => new TransitionStream({ filter: JSON.parse(wanted) as TransitionFilter, onChange }),
  shownOf: (stream) => {
    const { rows, state, gapAt, problem } = stream;
    return { rows, state, gapAt, problem, pause: () => stream.pause(), resume: () => stream.resume() };
  },
  begin: { rows: [], state: "connecting", gapAt: null, problem: null, pause: nothing, resume: nothing },
};

/** The transitions that pass a filter, as they happen. */
export const useTransitions = (filter: TransitionFilter): WatchedTransitions => useStream(view, JSON.stringify(filter));
