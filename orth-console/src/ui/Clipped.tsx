import type { ReactNode } from "react";
import { Link } from "react-router";

type Props = { text: string; to?: string; className?: string; children?: ReactNode };

/** Text in one line that never makes its place wider: what does not fit is cut, and the whole text shows on hover. */
export function Clipped({ text, to, className = "", children }: Props) {
  const props = { className: `clipped ${className}`, title: text };
  const shown = children ?? text;
  return to === undefined ? (
    <span {...props}>{shown}</span>
  ) : (
    <Link {...props} to={to}>
      {shown}
    </Link>
  );
}
