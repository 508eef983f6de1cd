/** Very long payloads are shown as they came: laying them out anew would hold the page up. */
const longestPretty = 200_000;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A string, a bracket, a comma or colon, or a number or word; what is between them is space. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gsu;

/**
 * A JSON object or array laid out over lines; null where it is none. Made from the text itself, so that numbers stay as they
 * were written.
 */
export function prettyJson(payload: string): string | null {
  if (!/^\s*[[{]/u.test(payload) || payload.length > longestPretty || !isJson(payload)) {
    return null;
  }
  const tokens = payload.match(token) ?? [];
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(depth)}`;
  const laidOut = tokens.map((each, index) => {
    const before = tokens[index - 1];
    switch (each) {
      case "}":
      case "]":
        depth -= 1;
        return before === "{" || before === "[" ? each : line() + each;
      case ",":
        return each;
      case ":":
        return ": ";
      default: {
        const begins = before === "{" || before === "[" || before === ",";
        const text = begins ? line() + each : each;
        depth += each === "{" || each === "[" ? 1 : 0;
        return text;
      }
    }
  });
  return laidOut.join("");
}
