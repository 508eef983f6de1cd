import { useEffect, useState } from "react";

type Stream = { start: () => void; stop: () => void };

/** Many rows are much work to draw. */
const drawMillis = 200;

export type StreamView<S extends Stream, T> = {
  /** Makes the stream of what is wanted. */
  open: (wanted: string, onChange: () => void) => S;
  /** What is shown of it now. */
  shownOf: (stream: S) => T;
  /** What is shown before anything came. */
  begin: T;
};

/** What a stream brings. However fast that is, the page is drawn a few times a second. */
export function useStream<S extends Stream, T>(view: StreamView<S, T>, wanted: string): T {
  const [drawn, setDrawn] = useState({ wanted, shown: view.begin });
  useEffect(() => {
    let drawing: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      drawing = undefined;
      setDrawn({ wanted, shown: view.shownOf(stream) });
    };
    const stream = view.open(wanted, () => {
      drawing ??= setTimeout(draw, drawMillis);
    });
    stream.start();
    return () => {
      stream.stop();
      clearTimeout(drawing);
    };
  }, [view, wanted]);
  // Something else is wanted from another stream: what the one before brought is not shown.
  return drawn.wanted === wanted ? drawn.shown : view.begin;
}
