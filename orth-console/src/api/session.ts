import { request } from "./http";

export const roles = ["VIEWER", "OPERATOR", "ADMIN"] as const;
export type Role = (typeof roles)[number];

export type Session = { user: string; role: Role };

export const sessionKeys = { current: ["session"] as const, setup: ["setup"] as const };

export const readSession = (signal?: AbortSignal): Promise<Session> =>
  request<Session>("GET", "/api/session", { signal, anonymous: true });

export const logIn = (user: string, password: string): Promise<Session> =>
  request<Session>("POST", "/api/session", { body: { user, password }, anonymous: true });

export const logOut = (): Promise<void> => request<void>("DELETE", "/api/session", { anonymous: true });

export const changePassword = (current: string, next: string): Promise<void> =>
  request<void>("PUT", "/api/session/password", { body: { current, next } });

export const readSetup = (signal?: AbortSignal): Promise<{ needed: boolean }> =>
  request("GET", "/api/setup", { signal, anonymous: true });

export const setUp = (code: string, user: string, password: string): Promise<void> =>
  request<void>("POST", "/api/setup", { body: { code, user, password }, anonymous: true });

/** What a role may do: everyone reads, operators change and run jobs, administrators also people, tokens and groups. */
export type Ability = "read" | "operate" | "administer";

const abilities: Record<Role, readonly Ability[]> = {
  VIEWER: ["read"],
  OPERATOR: ["read", "operate"],
  ADMIN: ["read", "operate", "administer"],
};

export const may = (role: Role, ability: Ability): boolean => abilities[role].includes(ability);
