const versionLine = /^version:[^\n]*\n?/mu;

const isJson = (text: string): boolean => text.trimStart().startsWith("{");

/** The definition without its version: that is the page's business, not the writer's. */
export const withoutVersion = (text: string): string => (isJson(text) ? text : text.replace(versionLine, ""));

/** The definition with the version it was made from, so that nobody else's change is written over. */
export function withVersion(text: string, version: number): string {
  if (!isJson(text)) {
    return `version: ${version}\n${withoutVersion(text)}`;
  }
  try {
    return JSON.stringify({ ...(JSON.parse(text) as object), version });
  } catch {
    // The server says better what is wrong with it.
    return text;
  }
}

/** What a new pipeline begins with. */
export const newDefinition = `description: What it is for
stages:
  - name: first
    handler: example.first
    maxAttempts: 3
    backoff:
      initialDelay: PT1S
      multiplier: 2
      maxDelay: PT1H
    tolerance: ALL
  - name: second
    handler: example.second
    concurrency: 10
    tolerance: 5%
`;
