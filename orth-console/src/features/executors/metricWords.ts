/** A load of 1 is all cores busy. */
export const percent = (load: number | null | undefined): string | null =>
  load === null || load === undefined ? null : `${Math.round(load * 100)} %`;

export const megabytes = (amount: number): string => (amount < 10_000 ? `${amount} MB` : `${(amount / 1024).toFixed(1)} GB`);

/** Points of a line through these values, in a box of this size; the line ends at the right edge. */
export function linePoints(values: number[], width: number, height: number): string {
  const top = Math.max(...values, 0);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, index) => `${(index * step).toFixed(1)},${(top === 0 ? height : height - (value / top) * height).toFixed(1)}`)
    .join(" ");
}
