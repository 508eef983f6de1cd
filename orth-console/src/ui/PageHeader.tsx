import type { ReactNode } from "react";
import { useEffect } from "react";

type Props = { title: string; before?: ReactNode; after?: ReactNode; actions?: ReactNode };

/** The one h1 of a page, which also names the browser tab. */
export function PageHeader({ title, before, after, actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Orth`;
  }, [title]);
  return (
    <header className="page-header">
      <div className="page-title">
        {before}
        <h1>{title}</h1>
        {after}
      </div>
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
    </header>
  );
}
