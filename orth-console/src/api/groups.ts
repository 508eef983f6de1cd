import { get, path, post, put, remove } from "./http";
import { all } from "./page";

type GroupWire = { id: string; name: string; title: string | null; online: number; createdAt: string };

/** Executors that run the same handlers. */
export type Group = { id: string; name: string; title: string; online: number; createdAt: Date };

export const toGroup = (wire: GroupWire): Group => ({
  ...wire,
  title: wire.title ?? "",
  createdAt: new Date(wire.createdAt),
});

export const groupLabel = (group: Pick<Group, "name" | "title">): string =>
  group.title === "" || group.title === group.name ? group.name : `${group.title} (${group.name})`;

export const groupKeys = {
  all: ["groups"] as const,
};

export const listGroups = async (signal?: AbortSignal): Promise<Group[]> =>
  (await all<GroupWire>("/api/groups", {}, signal)).map(toGroup);

export const createGroup = async (name: string, title: string): Promise<Group> =>
  toGroup(await post<GroupWire>("/api/groups", title === "" ? { name } : { name, title }));

export const renameGroup = async (id: string, title: string): Promise<Group> =>
  toGroup(await put<GroupWire>(path`/api/groups/${id}`, { title }));

export const deleteGroup = (id: string): Promise<void> => remove(path`/api/groups/${id}`);

export const revealToken = async (id: string): Promise<string> =>
  (await get<{ token: string }>(path`/api/groups/${id}/token`)).token;

export const rotateToken = async (id: string): Promise<string> =>
  (await post<{ token: string }>(path`/api/groups/${id}/token`)).token;
