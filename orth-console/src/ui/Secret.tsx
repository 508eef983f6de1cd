import { CopyButton } from "./CopyButton";

/** A secret in the open, to be copied. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div className="secret">
      <code aria-label={label}>{value}</code>
      <CopyButton size="small" text={() => value} />
    </div>
  );
}
