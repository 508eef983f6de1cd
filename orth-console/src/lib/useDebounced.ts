import { useEffect, useState } from "react";

/** The value once it has been still for a while. Compared by content, so a new but equal object changes nothing. */
export function useDebounced<T>(value: T, millis: number): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), millis);
    return () => clearTimeout(timer);
  }, [text, millis]);
  return settled;
}
