import { QueryClient } from "@tanstack/react-query";
import { Problem } from "../api/problem";

/** Only a missing answer is worth asking again; what the server refused it will refuse again. */
const shouldRetry = (failures: number, error: Error): boolean =>
  error instanceof Problem && error.unreachable && failures < 2;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, retryDelay: 1000, staleTime: 1000, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });

/** How often open pages ask again. Hidden tabs do not. */
export const pollMillis = { runs: 2500, lists: 5000, system: 5000 } as const;
