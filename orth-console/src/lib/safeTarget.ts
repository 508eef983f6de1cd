/** Where to go after the login: a path of this site, never another host. */
export const safeTarget = (next: string | null): string =>
  next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith("/login") && !next.startsWith("/setup") ? next : "/jobs";
