import { isRunOver, type PipelineRun, pipelineRunKeys, type PipelineRunStatus } from "../../../api/pipelineRuns";
import { listPipelineRunTransitions } from "../../../api/transitions";
import { pollMillis } from "../../../lib/queryClient";
import { StateTimeline } from "../../events/StateTimeline";

/** Every change of state of a run of a pipeline, and how long it stayed in each. */
export function RunTimeline({ run }: { run: PipelineRun }) {
  return (
    <StateTimeline
      kind="PIPELINE_RUN"
      queryKey={[...pipelineRunKeys.one(run.id), "transitions", run.status]}
      list={(signal) => listPipelineRunTransitions(run.id, signal)}
      isEnd={(state) => isRunOver(state as PipelineRunStatus)}
      poll={isRunOver(run.status) ? false : pollMillis.runs}
    />
  );
}
