/** Pairs such as `tenant=acme, env=prod` as query parameters; what is no pair yet is left out. */
export function metaQuery(text: string | undefined): Record<string, string> {
  const query: Record<string, string> = {};
  for (const part of (text ?? "").split(",")) {
    const [, key, value] = /^\s*([^=]*[^=\s])\s*=\s*(.*\S)\s*$/u.exec(part) ?? [];
    if (key !== undefined && value !== undefined) {
      query[`meta.${key}`] = value;
    }
  }
  return query;
}
