import { describe, expect, it } from "vitest";
import type { Channel } from "../../api/alarms";
import { draftOf, fieldsOf } from "./channelFields";

const channel: Channel = {
  id: "1",
  name: "Ops",
  kind: "DINGTALK",
  target: "https://example.org/…",
  secret: true,
  template: "",
  everyFailure: false,
  windowSeconds: 60,
  watch: { everything: false, groupIds: ["3"], jobIds: [] },
  enabled: true,
  version: 4,
};

describe("a channel in its dialog", () => {
  it("keeps what is not shown by leaving it out", () => {
    const draft = draftOf(fieldsOf(channel), 4);

    expect(draft).not.toHaveProperty("target");
    expect(draft).not.toHaveProperty("secret");
    expect(draft.watch).toEqual({ everything: false, groupIds: ["3"], jobIds: [] });
    expect(draft.version).toBe(4);
  });

  it("shows mail addresses and sends no secret where the kind has none", () => {
    const mail = { ...fieldsOf({ ...channel, kind: "MAIL", target: "a@example.org" }), secret: "typed before" };

    expect(draftOf(mail)).toMatchObject({ target: "a@example.org" });
    expect(draftOf(mail)).not.toHaveProperty("secret");
  });
});
