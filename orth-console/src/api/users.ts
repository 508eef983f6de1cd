import { path, post, put } from "./http";
import { all, toDate } from "./page";
import type { Role } from "./session";

type UserWire = {
  id: string;
  name: string;
  role: Role;
  enabled: boolean;
  createdAt: string;
  lastLoginAt: string | null;
};

export type User = Omit<UserWire, "createdAt" | "lastLoginAt"> & { createdAt: Date; lastLoginAt: Date | null };

export const toUser = (wire: UserWire): User => ({
  ...wire,
  createdAt: new Date(wire.createdAt),
  lastLoginAt: toDate(wire.lastLoginAt),
});

export const userKeys = { all: ["users"] as const };

export const listUsers = async (signal?: AbortSignal): Promise<User[]> =>
  (await all<UserWire>("/api/users", {}, signal)).map(toUser);

export type NewUser = { name: string; password: string; role: Role };
export type UserChange = { role?: Role; enabled?: boolean; password?: string };

export const createUser = (user: NewUser): Promise<unknown> => post("/api/users", user);
export const changeUser = (id: string, change: UserChange): Promise<unknown> => put(path`/api/users/${id}`, change);
