import { hasEnded, type Run, runKeys, type RunStatus } from "../../api/runs";
import { listTransitions } from "../../api/transitions";
import { StateTimeline } from "../events/StateTimeline";

/** Every change of state of a run, and how long it stayed in each. */
export function Timeline({ run, poll }: { run: Run; poll: number }) {
  return (
    <StateTimeline
      kind="RUN"
      queryKey={[...runKeys.transitions(run.id), run.status]}
      list={(signal) => listTransitions(run.id, signal)}
      isEnd={(state) => hasEnded(state as RunStatus)}
      poll={hasEnded(run.status) ? false : poll}
    />
  );
}
