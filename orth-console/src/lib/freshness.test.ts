import { QueryObserver } from "@tanstack/react-query";
import { afterEach, describe, expect, it } from "vitest";
import { outdatedSince } from "./freshness";
import { createQueryClient } from "./queryClient";

const start = new Date("2026-11-03T13:00:00Z").getTime();
const at = (seconds: number): Date => new Date(start + seconds * 1000);

const ends: (() => void)[] = [];

/** Data from the start of the test that a page asks for again so often. */
function fixture() {
  const client = createQueryClient();
  const watch = (name: string, refetchInterval: number | false | (() => number)): void => {
    client.setQueryData([name], name, { updatedAt: start });
    const observer = new QueryObserver(client, { queryKey: [name], queryFn: () => name, refetchInterval, refetchOnMount: false });
    ends.push(observer.subscribe(() => undefined));
  };
  const since = (seconds: number): Date | null => outdatedSince(client.getQueryCache().findAll({ type: "active" }), at(seconds));
  return { client, watch, since };
}

describe("the age of what a page shows", () => {
  afterEach(() => {
    for (const end of ends.splice(0)) {
      end();
    }
  });

  it("makes it old when an answer does not come in its turn, though nothing failed @must-first", () => {
    const page = fixture();
    page.watch("jobs", 5000);
    expect(page.since(10)).toBeNull();
    expect(page.since(11)).toEqual(at(0));
    page.client.setQueryData(["jobs"], "jobs", { updatedAt: at(11).getTime() });
    expect(page.since(12)).toBeNull();
  });

  it("is that of the oldest, however many others are answered @must-first", () => {
    const page = fixture();
    page.watch("system", 5000);
    page.watch("runs", () => 2500);
    page.client.setQueryData(["system"], "system", { updatedAt: at(30).getTime() });
    expect(page.since(31)).toEqual(at(0));
  });

  it("does not matter where nothing is asked again", () => {
    const page = fixture();
    page.watch("finished run", false);
    expect(page.since(3600)).toBeNull();
  });
});
