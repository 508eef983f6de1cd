import { Input } from "antd";
import { lazy, Suspense } from "react";
import type { TextType } from "./CodeEditor";

const CodeEditor = lazy(() => import("./CodeEditor"));

type Props = {
  /** Given by the form item around it. */
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
  type: TextType;
  readOnly?: boolean;
  label: string;
};

/** The editor is a chunk of its own; until it is there the text is. */
export function SourceInput({ value = "", onChange, type, readOnly = false, label }: Props) {
  return (
    <Suspense fallback={<Input.TextArea className="mono" value={value} readOnly rows={12} aria-label={label} />}>
      <CodeEditor value={value} onChange={onChange} type={type} readOnly={readOnly} label={label} />
    </Suspense>
  );
}
