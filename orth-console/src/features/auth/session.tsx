import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback } from "react";
import { type Ability, may, readSession, type Session, sessionKeys } from "../../api/session";

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <SessionContext value={session}>{children}</SessionContext>
);

/** Who is logged in. Only inside the shell. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) {
    throw new Error("no session around this component");
  }
  return session;
}

export function useMay(ability: Ability): boolean {
  return may(useSession().role, ability);
}

export const useSessionQuery = () =>
  useQuery({
    queryKey: sessionKeys.current,
    queryFn: ({ signal }) => readSession(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** Makes a session the current one; what another user may have seen is forgotten. */
export function useAdoptSession(): (session: Session) => void {
  const client = useQueryClient();
  return useCallback(
    (session) => {
      const before = client.getQueryData<Session>(sessionKeys.current);
      if (before !== undefined && before.user !== session.user) {
        client.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKeys.current[0] });
      }
      client.setQueryData(sessionKeys.current, session);
      void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== sessionKeys.current[0] });
    },
    [client],
  );
}
