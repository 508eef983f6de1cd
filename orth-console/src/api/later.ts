/** Runs something later and gives back how to cancel it. */
export type Later = (task: () => void, millis: number) => () => void;

export const later: Later = (task, millis) => {
  const timer = setTimeout(task, millis);
  return () => clearTimeout(timer);
};
