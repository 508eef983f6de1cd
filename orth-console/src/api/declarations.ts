import { get } from "./http";
import { toDate } from "./page";

export type DeclarationState = "FOLLOWED" | "DIFFERS" | "REFUSED" | "WITHDRAWN";

export type Difference = { field: string; declared: string | null; actual: string | null };

/** What code says about a job; in lists there is only the state. */
export type DeclarationWire = {
  state: DeclarationState;
  withdrawnAt: string | null;
  problem: string | null;
  differences: Difference[] | null;
};

export type Declaration = Omit<DeclarationWire, "withdrawnAt" | "differences"> & {
  withdrawnAt: Date | null;
  differences: Difference[];
};

/** What code declares without effect: refused, or about a job that a person has deleted. */
export type InVain = {
  groupId: string;
  groupName: string;
  name: string;
  state: "REFUSED" | "DISMISSED";
  jobId: string | null;
  problem: string | null;
};

export const toDeclaration = (wire: DeclarationWire): Declaration => ({
  ...wire,
  withdrawnAt: toDate(wire.withdrawnAt),
  differences: wire.differences ?? [],
});

export const declarationKeys = { inVain: ["declarations", "inVain"] as const };

export const listInVain = async (signal?: AbortSignal): Promise<InVain[]> =>
  (await get<{ items: InVain[] }>("/api/declarations", signal)).items;
