import type { Query, QueryObserverOptions } from "@tanstack/react-query";

/** How much later than its turn an answer may come before what is shown counts as old. */
export const graceMillis = 5000;

/** How often a page asks again for the data of a query; null where it does not. */
function intervalOf(query: Query): number | null {
  const intervals = query.observers.flatMap((observer) => {
    const { enabled, refetchInterval } = observer.options as QueryObserverOptions;
    const interval = typeof refetchInterval === "function" ? refetchInterval(query) : refetchInterval;
    return enabled !== false && typeof interval === "number" ? [interval] : [];
  });
  return intervals.length === 0 ? null : Math.min(...intervals);
}

/** From when the oldest data on the page is, if it is older than it should be; null while all of it is current. */
export function outdatedSince(queries: readonly Query[], now: Date): Date | null {
  const overdue = queries.flatMap((query) => {
    const { dataUpdatedAt } = query.state;
    const interval = dataUpdatedAt === 0 ? null : intervalOf(query);
    return interval !== null && now.getTime() - dataUpdatedAt > interval + graceMillis ? [dataUpdatedAt] : [];
  });
  return overdue.length === 0 ? null : new Date(Math.min(...overdue));
}
