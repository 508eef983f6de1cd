/** The console's own addresses of queues and messages. */
export const queuesPath = "/queues";

export const queuePath = (queue: string): string => `/queues/${encodeURIComponent(queue)}`;

export const messagePath = (queue: string, id: string): string => `${queuePath(queue)}/messages/${encodeURIComponent(id)}`;

/** Where the log of one attempt at a message is shown. */
export const attemptLogPath = (queue: string, id: string, logId: string): string =>
  `${messagePath(queue, id)}?tab=log&log=${encodeURIComponent(logId)}`;
