import type { Dayjs } from "dayjs";
import type { Lane, MessageDraft } from "../../api/messages";
import { type DurationUnit, toIsoDuration } from "../../lib/duration";

export const beginnings = ["NOW", "AFTER", "AT"] as const;
export type Beginning = (typeof beginnings)[number];

/** The form of a new message; the fields that the server knows have its names. */
export type MessageFields = {
  /** Only where the dialog is not that of one queue. */
  queue?: string;
  payload?: string;
  lane: Lane;
  begin: Beginning;
  delay?: number | null;
  delayUnit: DurationUnit;
  dueAt?: Dayjs | null;
  uniqueKey?: string;
  uniqueFor?: number | null;
  uniqueUnit: DurationUnit;
  groupKey?: string;
  maxAttempts?: number | null;
  metadata?: { name?: string; value?: string }[];
};

export const messageFieldNames = [
  "queue",
  "payload",
  "lane",
  "delay",
  "dueAt",
  "uniqueKey",
  "uniqueFor",
  "groupKey",
  "maxAttempts",
] as const satisfies readonly (keyof MessageFields)[];

export const newMessage = (): MessageFields => ({
  payload: "",
  lane: "DEFAULT",
  begin: "NOW",
  delay: 1,
  delayUnit: "minutes",
  uniqueUnit: "minutes",
  metadata: [],
});

function dueOf({ begin, delay, delayUnit, dueAt }: MessageFields): Pick<MessageDraft, "delay" | "dueAt"> {
  switch (begin) {
    case "NOW":
      return {};
    case "AFTER":
      return { delay: toIsoDuration(delay ?? 0, delayUnit) };
    case "AT":
      return dueAt ? { dueAt: dueAt.toISOString() } : {};
  }
}

function metadataOf(rows: MessageFields["metadata"]): Record<string, string> {
  const named = (rows ?? []).filter(({ name }) => (name ?? "").trim() !== "");
  return Object.fromEntries(named.map(({ name, value }) => [(name ?? "").trim(), value ?? ""]));
}

const keyOf = (text: string | undefined): string | null => (text === undefined || text.trim() === "" ? null : text.trim());

/** Only what was filled in is sent; the rest the queue decides. */
export function messageDraft(fields: MessageFields): MessageDraft {
  const uniqueKey = keyOf(fields.uniqueKey);
  const groupKey = keyOf(fields.groupKey);
  const metadata = metadataOf(fields.metadata);
  return {
    payload: fields.payload ?? "",
    lane: fields.lane,
    ...dueOf(fields),
    ...(uniqueKey === null ? {} : { uniqueKey }),
    ...(typeof fields.uniqueFor === "number" ? { uniqueFor: toIsoDuration(fields.uniqueFor, fields.uniqueUnit) } : {}),
    ...(groupKey === null ? {} : { groupKey }),
    ...(typeof fields.maxAttempts === "number" ? { maxAttempts: fields.maxAttempts } : {}),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
