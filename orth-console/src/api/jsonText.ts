/** A document that the API sends as JSON, or as the text of JSON; the console only shows it. */
export type Document = unknown;

/** What is absent is an empty text; a text stays as it is. */
export const toJsonText = (value: Document): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** Why something failed: a stable code, words, and what else there is to know. */
export type Reason = { code: string; message: string; detail: string };

function parsed(value: Document): Document {
  if (typeof value !== "string") {
    return value;
  }
  try {
    return JSON.parse(value) as Document;
  } catch {
    return value;
  }
}

const textOf = (value: Document): string => (typeof value === "string" ? value : "");

/** Null where nothing failed. What has no form of its own is taken as words. */
export function toReason(value: Document): Reason | null {
  if (value === null || value === undefined || value === "") {
    return null;
  }
  const found = parsed(value);
  if (typeof found !== "object" || found === null) {
    return { code: "", message: toJsonText(value), detail: "" };
  }
  const { code, message, detail, ...rest } = found as Record<string, Document>;
  const more = toJsonText(detail) || (Object.keys(rest).length === 0 ? "" : JSON.stringify(rest));
  return { code: textOf(code), message: textOf(message), detail: more };
}
