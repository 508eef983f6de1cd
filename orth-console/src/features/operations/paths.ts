/** The console's own address of an operation. */
export const operationPath = (id: string): string => `/operations/${encodeURIComponent(id)}`;
