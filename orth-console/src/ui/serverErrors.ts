import type { FormInstance } from "antd";
import { Problem } from "../api/problem";

/**
 * Puts the server's field errors at their fields, those of a list's items at the list, and goes to the first. Gives back whether every error found its field;
 * otherwise the caller says the rest in words.
 */
export function showFieldErrors(
  form: FormInstance,
  error: unknown,
  names: Record<string, string>,
  options: { focus: boolean } = { focus: true },
): boolean {
  if (!(error instanceof Problem) || error.errors.length === 0) {
    return false;
  }
  const known = error.errors.flatMap(({ field, message }) => {
    const [, list, index] = /^(.+)\[(\d+)\]$/u.exec(field) ?? [];
    const name = names[list ?? field];
    const text = index === undefined ? sentence(message) : `${Number(index) + 1}: ${message}`;
    return name === undefined ? [] : [{ name, errors: [text] }];
  });
  form.setFields(known);
  const first = known[0];
  if (first !== undefined && options.focus) {
    form.focusField(first.name);
  }
  return known.length === error.errors.length;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
