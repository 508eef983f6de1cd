import { describe, expect, it } from "vitest";
import { fakeFetch } from "../test/fakeFetch";
import { transitionWire } from "../test/factories";
import { messageWire, queueWire } from "../test/queueFactories";
import {
  canDiscard,
  canRetry,
  discardMessages,
  isOver,
  listMessages,
  messageStatuses,
  pushMessage,
  retryMessage,
  retryMessages,
  toMessage,
} from "./messages";
import { configureQueue, listQueues, setPaused, toQueue } from "./queues";
import { listMessageTransitions } from "./transitions";

describe("a queue", () => {
  it("reads its times as instants", () => {
    expect(toQueue(queueWire()).nextDue?.toISOString()).toBe("2026-11-03T13:05:00.000Z");
    expect(toQueue(queueWire({ nextDue: null })).nextDue).toBeNull();
  });

  it("is listed, paused, resumed and set up by its own calls", async () => {
    const answer = { body: queueWire() };
    const calls = fakeFetch({ body: { items: [queueWire()] } }, answer, answer, answer);
    const [queue] = (await listQueues()).items;
    await setPaused("mail:eu", true);
    await setPaused("mail:eu", false);
    const { groupId, maxAttempts, backoff, rateLimit, concurrencyLimit, version } = queueWire();
    await configureQueue("emails", { groupId, maxAttempts, backoff, rateLimit, concurrencyLimit, version });
    expect(queue?.name).toBe("emails");
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/queues",
      "POST /api/queues/mail%3Aeu/pause",
      "POST /api/queues/mail%3Aeu/resume",
      "PUT /api/queues/emails",
    ]);
    expect(calls[3]?.body).toMatchObject({ version: 4, rateLimit: null });
  });
});

describe("a message", () => {
  it("keeps an id that a number could not hold, and reads what is absent as empty", () => {
    const message = toMessage(messageWire("DONE", { metadata: null, payload: null }));
    expect(message.id).toBe("9007199254740993");
    expect([message.metadata, message.payload]).toEqual([{}, ""]);
    expect(message.claimedAt?.toISOString()).toBe("2026-11-03T13:05:09.500Z");
  });

  it("reads the ids and times of failed attempts, however they came", () => {
    const failure = { attempt: 1, logId: 41, executorId: "3", startedAt: "2026-11-03T13:05:09+00:00", endedAt: null, code: 500, error: "no" };
    const [read] = toMessage(messageWire("DEAD", { failures: [failure] })).failures;
    expect(read).toEqual({ ...failure, logId: "41", startedAt: new Date("2026-11-03T13:05:09Z") });
  });

  it("can be retried when it was given up, and discarded before it runs or then", () => {
    expect(messageStatuses.filter(canRetry)).toEqual(["DEAD"]);
    expect(messageStatuses.filter(canDiscard)).toEqual(["WAITING", "DEAD"]);
    expect(messageStatuses.filter(isOver)).toEqual(["DONE", "DISCARDED"]);
  });

  it("is listed by status and cursor, with its timeline", async () => {
    const calls = fakeFetch({ body: { items: [messageWire("DEAD")], next: "7" } }, { body: { items: [transitionWire({ entity: "MESSAGE" })], next: null } });
    const page = await listMessages("emails", "DEAD", "9");
    const timeline = await listMessageTransitions("emails", "5");
    expect([page.next, timeline.length]).toEqual(["7", 1]);
    expect(calls.map((call) => call.url)).toEqual([
      "/api/queues/emails/messages?status=DEAD&limit=50&after=9",
      "/api/queues/emails/messages/5/transitions",
    ]);
  });

  it("is retried with its own payload unless another is given, even an empty one", async () => {
    const answer = { body: messageWire("WAITING") };
    const calls = fakeFetch(answer, answer);
    await retryMessage("emails", "5", null);
    await retryMessage("emails", "5", "");
    expect(calls.map((call) => call.body)).toEqual([{}, { payload: "" }]);
  });

  it("is pushed, and decided about together with others", async () => {
    const calls = fakeFetch({ status: 201, body: { id: "5", duplicate: true } }, { body: { count: 2 } }, { body: { count: 1 } });
    expect(await pushMessage("emails", { payload: "x", lane: "LOW" })).toEqual({ id: "5", duplicate: true });
    expect(await retryMessages("emails", ["1", "2"])).toBe(2);
    expect(await discardMessages("emails", ["3"])).toBe(1);
    expect(calls.map(({ url, body }) => [url, body])).toEqual([
      ["/api/queues/emails/messages", { payload: "x", lane: "LOW" }],
      ["/api/queues/emails/messages/retry", { ids: ["1", "2"] }],
      ["/api/queues/emails/messages/discard", { ids: ["3"] }],
    ]);
  });
});
