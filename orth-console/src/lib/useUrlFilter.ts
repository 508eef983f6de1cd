import { useCallback } from "react";
import { useSearchParams } from "react-router";

export type UrlFilter<K extends string> = {
  /** Only what is set. */
  values: Partial<Record<K, string>>;
  isEmpty: boolean;
  set: (change: Partial<Record<K, string | undefined>>) => void;
  clear: () => void;
};

/** The filter of a list lives in the address, so that it can be shared and survives reload and back. */
export function useUrlFilter<K extends string>(keys: readonly K[]): UrlFilter<K> {
  const [params, setParams] = useSearchParams();
  const values: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const value = params.get(key);
    if (value !== null && value !== "") {
      values[key] = value;
    }
  }
  const set = useCallback(
    (change: Partial<Record<K, string | undefined>>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [key, value] of Object.entries(change) as [K, string | undefined][]) {
            if (value === undefined || value === "") {
              next.delete(key);
            } else {
              next.set(key, value);
            }
          }
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  const clear = useCallback(() => setParams({}, { replace: true }), [setParams]);
  return { values, isEmpty: Object.keys(values).length === 0, set, clear };
}
