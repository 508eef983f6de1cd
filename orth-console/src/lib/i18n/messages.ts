import type { en } from "./en";
import type { enAdmin } from "./enAdmin";
import type { enAfter } from "./enAfter";
import type { enAlarms } from "./enAlarms";
import type { enDead } from "./enDead";
import type { enDeclared } from "./enDeclared";
import type { enEvents } from "./enEvents";
import type { enExecution } from "./enExecution";
import type { enQueueAlerts } from "./enQueueAlerts";
import type { enPipelineRuns } from "./enPipelineRuns";
import type { enPipelines } from "./enPipelines";
import type { enQueues } from "./enQueues";
import type { enReports } from "./enReports";
import type { enRouting } from "./enRouting";
import type { enSchedules } from "./enSchedules";
import type { enSystemLog } from "./enSystemLog";
import type { enWork } from "./enWork";

/** The same keys with any text. Languages without a singular leave the `_one` forms out. */
type Shape<T> = {
  [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Shape<T[K]>;
};

export type Messages = {
  core: Shape<typeof en>;
  work: Shape<typeof enWork>;
  execution: Shape<typeof enExecution>;
  routing: Shape<typeof enRouting>;
  schedules: Shape<typeof enSchedules>;
  admin: Shape<typeof enAdmin>;
  after: Shape<typeof enAfter>;
  alarms: Shape<typeof enAlarms>;
  declared: Shape<typeof enDeclared>;
  reports: Shape<typeof enReports>;
  events: Shape<typeof enEvents>;
  systemLog: Shape<typeof enSystemLog>;
  queues: Shape<typeof enQueues>;
  queueAlerts: Shape<typeof enQueueAlerts>;
  dead: Shape<typeof enDead>;
  pipelines: Shape<typeof enPipelines>;
  pipelineRuns: Shape<typeof enPipelineRuns>;
};
