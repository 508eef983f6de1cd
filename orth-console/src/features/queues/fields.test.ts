import dayjs from "dayjs";
import { describe, expect, it } from "vitest";
import { lanes, messageStatuses, toMessage } from "../../api/messages";
import { toQueue } from "../../api/queues";
import { messageWire, queueWire } from "../../test/queueFactories";
import { likeThese } from "./DeadSelection";
import { messageDraft, newMessage } from "./messageFields";
import { laneColor, messageLook } from "./messageLook";
import { messagePath, queuePath } from "./paths";
import { prettyJson } from "./payloadText";
import { queueDraft, queueFieldsOf } from "./queueFields";

const dead = (id: string, fingerprint: string) => toMessage(messageWire("DEAD", { id, fingerprint }));

describe("the settings of a queue", () => {
  it("survive the way through the form", () => {
    const { groupId, maxAttempts, rateLimit, concurrencyLimit } = queueWire({ rateLimit: 50, concurrencyLimit: 7 });
    const fields = queueFieldsOf(toQueue(queueWire({ rateLimit: 50, concurrencyLimit: 7, backoff: { initialDelay: "PT0.5S", multiplier: 1.5, maxDelay: "PT1H30M", jitter: 0.2 } })));
    expect(queueDraft(fields, 4)).toEqual({
      groupId,
      maxAttempts,
      backoff: { initialDelay: "PT0.5S", multiplier: 1.5, maxDelay: "PT5400S", jitter: 0.2 },
      rateLimit,
      concurrencyLimit,
      version: 4,
    });
  });

  it("have no limit and no owner where a field was emptied", () => {
    const emptied = { ...queueFieldsOf(toQueue(queueWire())), groupId: undefined, rateLimit: undefined } as never;
    expect(queueDraft(emptied, 1)).toMatchObject({ groupId: null, rateLimit: null, concurrencyLimit: null });
  });
});

describe("a new message", () => {
  it("sends only what was filled in", () => {
    expect(messageDraft({ ...newMessage(), payload: "x", uniqueKey: " ", metadata: [{}] })).toEqual({ payload: "x", lane: "DEFAULT" });
  });

  it("is due now, after a while or at a time, never two of them", () => {
    const dueAt = dayjs("2030-01-01T00:00:00.000Z");
    const fields = { ...newMessage(), delay: 5, delayUnit: "minutes", dueAt } as const;
    const dues = (["NOW", "AFTER", "AT"] as const).map((begin) => {
      const draft = messageDraft({ ...fields, begin });
      return [draft.delay, draft.dueAt];
    });
    expect(dues).toEqual([
      [undefined, undefined],
      ["PT300S", undefined],
      [undefined, "2030-01-01T00:00:00.000Z"],
    ]);
  });

  it("takes its keys, attempts and metadata with it", () => {
    const filled = { uniqueKey: " order-7 ", uniqueFor: 2, uniqueUnit: "hours", groupKey: "ann", maxAttempts: 1 } as const;
    expect(messageDraft({ ...newMessage(), ...filled, metadata: [{ name: "tenant", value: "acme" }] })).toEqual({
      payload: "",
      lane: "DEFAULT",
      uniqueKey: "order-7",
      uniqueFor: "PT7200S",
      groupKey: "ann",
      maxAttempts: 1,
      metadata: { tenant: "acme" },
    });
  });
});

describe("a payload", () => {
  it("is laid out over lines where it is an object or an array", () => {
    const value = { to: "ann, \"x\": {", list: [1, [], {}], none: null, deep: { on: true } };
    expect(prettyJson(JSON.stringify(value))).toBe('{\n  "to": "ann, \\"x\\": {",\n  "list": [\n    1,\n    [],\n    {}\n  ],\n  "none": null,\n  "deep": {\n    "on": true\n  }\n}');
    expect(JSON.parse(prettyJson(JSON.stringify(value)) ?? "")).toEqual(value);
  });

  it("keeps numbers as they were written", () => {
    expect(prettyJson(' {"id":12345678901234567890, "x":1.50}')).toBe('{\n  "id": 12345678901234567890,\n  "x": 1.50\n}');
  });

  it("stays as it came where it is no JSON, one value, or very long", () => {
    expect(["please fail", "{not json}", "12", '"text"', "", `[${"1,".repeat(100_001)}1]`].map(prettyJson)).toEqual(Array.from({ length: 6 }, () => null));
  });
});

describe("looks and ways", () => {
  it("differ from status to status by more than colour, and from lane to lane", () => {
    expect(new Set(messageStatuses.map((status) => messageLook[status].Icon)).size).toBe(messageStatuses.length);
    expect(new Set(lanes.map((lane) => laneColor[lane])).size).toBe(lanes.length);
  });

  it("lead to a queue whose name has signs of its own", () => {
    expect([queuePath("a:b"), messagePath("a:b", "7")]).toEqual(["/queues/a%3Ab", "/queues/a%3Ab/messages/7"]);
  });

  it("find the messages that failed alike", () => {
    const rows = [dead("1", "a"), dead("2", "b"), dead("3", "a")];
    expect(likeThese(rows, rows.slice(0, 1))).toEqual(["1", "3"]);
  });
});
