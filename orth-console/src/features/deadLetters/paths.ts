import type { DeadFilter, DeadGroup, DeadLetter } from "../../api/deadLetters";
import { withQuery } from "../../api/http";
import { messagePath } from "../queues/paths";

/** The console's own addresses of dead letters. */
export const deadLettersPath = (filter: DeadFilter): string => withQuery("/dead-letters", filter);

/** Where the whole of it is: its message's page, or its run's. */
export const letterPath = ({ queue, id }: Pick<DeadLetter, "queue" | "id">): string =>
  queue === null ? `/runs/${encodeURIComponent(id)}` : messagePath(queue, id);

/** The list of those that are in a group, and no other filter. */
export const groupPath = ({ kind, queue, jobId, fingerprint }: DeadGroup): string =>
  withQuery("/dead-letters", { kind, queue, jobId, fingerprint });
