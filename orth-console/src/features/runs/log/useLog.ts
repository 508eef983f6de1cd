import { useEffect, useState } from "react";
import type { LogState } from "../../../api/runLog";
import { LineBuffer } from "../../../lib/lineBuffer";

export type ShownLog = {
  buffer: LineBuffer;
  state: LogState;
  /** What the server said about a log it cannot read. */
  message: string;
  /** In percent; null for work that does not say. */
  progress: number | null;
  /** The zone of the times in it; null where the executor does not say. */
  zone: string | null;
  /** Whether there is a log at all; null where that is unknown. */
  exists: boolean | null;
  /** Bytes before the first one that was read. */
  skipped: number;
  revision: number;
};

/** What reads a log into a buffer. */
type LogReader = Omit<ShownLog, "buffer" | "revision"> & { start: () => void; stop: () => void };

const begin: Omit<ShownLog, "buffer"> = { state: "connecting", message: "", progress: null, zone: null, exists: null, skipped: 0, revision: 0 };

/**
 * A log as it arrives. However fast that is, the page is drawn at most once a frame.
 *
 * @param open makes the reader; another function means another log
 */
export function useLog(open: (buffer: LineBuffer, onChange: () => void) => LogReader): ShownLog {
  const [log, setLog] = useState<ShownLog>(() => ({ buffer: new LineBuffer(), ...begin }));
  useEffect(() => {
    const buffer = new LineBuffer();
    let frame: number | null = null;
    const draw = (): void => {
      frame = null;
      const { state, message, progress, zone, exists, skipped } = reader;
      setLog({ buffer, state, message, progress, zone, exists, skipped, revision: buffer.revision });
    };
    const reader = open(buffer, () => {
      frame ??= requestAnimationFrame(draw);
    });
    reader.start();
    return () => {
      reader.stop();
      if (frame !== null) {
        cancelAnimationFrame(frame);
      }
    };
  }, [open]);
  return log;
}
