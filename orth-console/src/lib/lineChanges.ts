/** How many lines `to` has that `from` has not, and the other way round; lines that moved count as neither. */
export function lineChanges(from: string, to: string): { added: number; removed: number } {
  const counts = new Map<string, number>();
  for (const line of from.split("\n")) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  let added = 0;
  for (const line of to.split("\n")) {
    const left = counts.get(line) ?? 0;
    if (left === 0) {
      added += 1;
    } else {
      counts.set(line, left - 1);
    }
  }
  const removed = [...counts.values()].reduce((sum, left) => sum + left, 0);
  return { added, removed };
}
