import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { groovy } from "@codemirror/legacy-modes/mode/groovy";
import { javascript } from "@codemirror/legacy-modes/mode/javascript";
import { powerShell } from "@codemirror/legacy-modes/mode/powershell";
import { python } from "@codemirror/legacy-modes/mode/python";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import type { GlueType } from "../../api/execution";

/** What is written in it: the source of a job, or a definition. */
export type TextType = GlueType | "YAML";

const languages: Record<TextType, Extension> = {
  GLUE_SHELL: StreamLanguage.define(shell),
  GLUE_PYTHON: StreamLanguage.define(python),
  GLUE_PYTHON2: StreamLanguage.define(python),
  GLUE_NODEJS: StreamLanguage.define(javascript),
  GLUE_PHP: [],
  GLUE_POWERSHELL: StreamLanguage.define(powerShell),
  GLUE_GROOVY: StreamLanguage.define(groovy),
  YAML: [StreamLanguage.define(yaml), indentUnit.of("  ")],
};

type Props = {
  value: string;
  onChange: ((value: string) => void) | undefined;
  type: TextType;
  readOnly: boolean;
  label: string;
};

/** Escape, then Tab, leaves the editor, so that the keyboard is never caught in it. */
export default function CodeEditor({ value, onChange, type, readOnly, label }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const changed = useRef(onChange);
  const first = useRef({ value, type });

  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);

  useEffect(() => {
    const parent = place.current;
    if (parent === null) {
      return undefined;
    }
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightActiveLine(),
          // The first that says how far to indent is heard.
          language.current.of(languages[first.current.type]),
          indentUnit.of("    "),
          syntaxHighlighting(classHighlighter),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorState.readOnly.of(readOnly),
          EditorView.editable.of(!readOnly),
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              changed.current?.(update.state.doc.toString());
            }
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [readOnly, label]);

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languages[type]) });
  }, [type]);

  // What the form sets from outside, such as a version that was loaded, replaces the text.
  useEffect(() => {
    first.current = { value, type };
    const editor = view.current;
    if (editor !== null && editor.state.doc.toString() !== value) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    }
  }, [value, type]);

  return <div className="code-editor" ref={place} />;
}
