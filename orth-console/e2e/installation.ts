import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Credentials = { user: string; password: string; apiToken: string };

/** What the first start wrote down. */
export const credentials = (): Credentials =>
  JSON.parse(readFileSync(join(process.env.ORTH_E2E_DATA ?? "", "credentials.json"), "utf8")) as Credentials;

export const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${credentials().apiToken}` });
