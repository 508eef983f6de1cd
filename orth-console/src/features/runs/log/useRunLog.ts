import { useEffect, useState } from "react";
import { LogStream, type LogState } from "../../../api/runLog";
import { LineBuffer } from "../../../lib/lineBuffer";

export type RunLog = { buffer: LineBuffer; state: LogState; message: string; progress: number | null; revision: number };

/** The log of a run as it arrives. However fast that is, the page is drawn at most once a frame. */
export function useRunLog(runId: string): RunLog {
  const [log, setLog] = useState<RunLog>(() => ({ buffer: new LineBuffer(), state: "connecting", message: "", progress: null, revision: 0 }));
  useEffect(() => {
    const buffer = new LineBuffer();
    let frame: number | null = null;
    const draw = (): void => {
      frame = null;
      setLog({ buffer, state: stream.state, message: stream.message, progress: stream.progress, revision: buffer.revision });
    };
    const stream = new LogStream({
      runId,
      buffer,
      onChange: () => {
        frame ??= requestAnimationFrame(draw);
      },
    });
    stream.start();
    return () => {
      stream.stop();
      if (frame !== null) {
        cancelAnimationFrame(frame);
      }
    };
  }, [runId]);
  return log;
}
