import type { ReactNode } from "react";

/** Names and values, laid out as wide as there is room. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className="facts">{children}</dl>;

export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
