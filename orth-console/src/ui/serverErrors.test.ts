import type { FormInstance } from "antd";
import { describe, expect, it } from "vitest";
import { Problem } from "../api/problem";
import { showFieldErrors } from "./serverErrors";

type Shown = { name: string; errors: string[] };

/** Remembers what it is told to show. */
function fakeForm(): { form: FormInstance; shown: Shown[] } {
  const shown: Shown[] = [];
  const form = { setFields: (fields: Shown[]) => shown.push(...fields), focusField: () => {} };
  return { form: form as unknown as FormInstance, shown };
}

describe("errors of fields", () => {
  it("stand at their fields, those of a list's items at the list with their number", () => {
    const { form, shown } = fakeForm();
    const errors = [
      { field: "name", message: "is missing" },
      { field: "addresses[1]", message: "is not a URL" },
    ];
    expect(showFieldErrors(form, new Problem(400, { errors }), { name: "title", addresses: "only" })).toBe(true);
    expect(shown).toEqual([
      { name: "title", errors: ["Is missing"] },
      { name: "only", errors: ["2: is not a URL"] },
    ]);
  });

  it("are left to the caller where there is no such field", () => {
    const { form, shown } = fakeForm();
    expect(showFieldErrors(form, new Problem(400, { errors: [{ field: "other[0]", message: "x" }] }), { name: "name" })).toBe(false);
    expect(shown).toEqual([]);
  });
});
