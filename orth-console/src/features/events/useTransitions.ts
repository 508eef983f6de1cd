import { useEffect, useState } from "react";
import type { Problem } from "../../api/problem";
import { type TransitionFilter, TransitionStream, type WatchState, type Watched } from "../../api/transitionStream";

export type WatchedTransitions = {
  rows: readonly Watched[];
  state: WatchState;
  gapAt: Date | null;
  problem: Problem | null;
  pause: () => void;
  resume: () => void;
};

/** Many rows are much work to draw. */
const drawMillis = 200;

const nothing = (): void => undefined;
const begin: WatchedTransitions = { rows: [], state: "connecting", gapAt: null, problem: null, pause: nothing, resume: nothing };

/** The transitions that pass a filter, as they happen. However fast that is, the page is drawn a few times a second. */
export function useTransitions(filter: TransitionFilter): WatchedTransitions {
  const wanted = JSON.stringify(filter);
  const [watched, setWatched] = useState({ wanted, shown: begin });
  useEffect(() => {
    let drawing: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      drawing = undefined;
      const { rows, state, gapAt, problem } = stream;
      const shown = { rows, state, gapAt, problem, pause: () => stream.pause(), resume: () => stream.resume() };
      setWatched({ wanted, shown });
    };
    const stream = new TransitionStream({
      filter: JSON.parse(wanted) as TransitionFilter,
      onChange: () => {
        drawing ??= setTimeout(draw, drawMillis);
      },
    });
    stream.start();
    return () => {
      stream.stop();
      clearTimeout(drawing);
    };
  }, [wanted]);
  // Another filter is another stream: what the one before brought is not shown.
  return watched.wanted === wanted ? watched.shown : begin;
}
