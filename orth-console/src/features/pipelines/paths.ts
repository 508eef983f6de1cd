/** The console's own addresses of pipelines and their runs. None of the fixed ones can be taken by a pipeline's name. */
export const pipelinesPath = "/pipelines";
export const newPipelinePath = "/new-pipeline";
export const outboxPath = "/outbox";

export const pipelinePath = (name: string): string => `${pipelinesPath}/${encodeURIComponent(name)}`;
export const editPipelinePath = (name: string): string => `${pipelinePath(name)}/edit`;

export const pipelineRunPath = (id: string): string => `/pipeline-runs/${encodeURIComponent(id)}`;

export const taskPath = (runId: string, taskId: string): string => `${pipelineRunPath(runId)}?task=${encodeURIComponent(taskId)}`;
