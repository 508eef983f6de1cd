import { get, withQuery } from "./http";

/** One page of a list; `next` is the cursor of the page after it. */
export type Page<T> = { items: T[]; next: string | null };

export const pageSize = 50;

export const mapPage = <W, T>(page: Page<W>, map: (wire: W) => T): Page<T> => ({
  items: page.items.map(map),
  next: page.next ?? null,
});

/** Follows the cursor to the end of a short list (groups, users), up to a bound that no sane installation meets. */
export async function all<T>(path: string, query: Record<string, string | undefined>, signal?: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 20; pages++) {
    // Each page needs the cursor of the one before it.
    // oxlint-disable-next-line no-await-in-loop
    const page: Page<T> = await get<Page<T>>(withQuery(path, { ...query, limit: 200, after }), signal);
    items.push(...page.items);
    after = page.next ?? null;
    if (after === null) {
      break;
    }
  }
  return items;
}

export const toDate = (text: string | null | undefined): Date | null =>
  text === null || text === undefined ? null : new Date(text);
