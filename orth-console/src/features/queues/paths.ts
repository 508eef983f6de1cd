/** The console's own addresses of queues and messages. */
export const queuesPath = "/queues";

export const queuePath = (queue: string): string => `/queues/${encodeURIComponent(queue)}`;

export const messagePath = (queue: string, id: string): string => `${queuePath(queue)}/messages/${encodeURIComponent(id)}`;
