import { CopyButton } from "../../ui/CopyButton";
import { prettyJson } from "./payloadText";

type Props = { name: string; text: string; empty?: string };

/** A long text under its name, JSON laid out over lines. What is copied is what came. */
export function TextPanel({ name, text, empty = "" }: Props) {
  return (
    <section className="page-part" aria-label={name}>
      <div className="section-header">
        <h2>{name}</h2>
        {text === "" ? null : <CopyButton size="small" type="text" text={() => text} />}
      </div>
      {text === "" ? (
        <p className="muted">{empty}</p>
      ) : (
        // Long texts scroll, so the keyboard must reach them.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className="param text-panel" tabIndex={0} aria-label={name}>
          {prettyJson(text) ?? text}
        </pre>
      )}
    </section>
  );
}
