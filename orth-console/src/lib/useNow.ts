import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = new Date();
    for (const each of listeners) {
      each();
    }
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function snapshot(): Date {
  // Without a ticking clock the value is only as old as the last second.
  if (timer === undefined && Date.now() - now.getTime() > 1000) {
    now = new Date();
  }
  return now;
}

/** The time, once a second, from one timer for the whole page. */
export const useNow = (): Date => useSyncExternalStore(subscribe, snapshot);
