import { path, post, remove } from "./http";
import { all, toDate } from "./page";
import type { Role } from "./session";

type TokenWire = {
  id: string;
  name: string;
  role: Role;
  createdBy: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
};

export type ApiToken = Omit<TokenWire, "createdAt" | "expiresAt" | "lastUsedAt"> & {
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

export const toApiToken = (wire: TokenWire): ApiToken => ({
  ...wire,
  createdAt: new Date(wire.createdAt),
  expiresAt: toDate(wire.expiresAt),
  lastUsedAt: toDate(wire.lastUsedAt),
});

export const tokenKeys = { all: ["tokens"] as const };

export const listTokens = async (signal?: AbortSignal): Promise<ApiToken[]> =>
  (await all<TokenWire>("/api/tokens", {}, signal)).map(toApiToken);

export type NewToken = { name: string; role: Role; expiresAt?: string };

/** The secret is in this answer and nowhere else. */
export const createToken = async (token: NewToken): Promise<string> =>
  (await post<{ token: string }>("/api/tokens", token)).token;

export const revokeToken = (id: string): Promise<void> => remove(path`/api/tokens/${id}`);
