import { render, screen } from "@testing-library/react";
import { Form } from "antd";
import { describe, expect, it } from "vitest";
import type { Backoff } from "../api/retry";
import { BackoffWords } from "./BackoffWords";
import { retryDraft, retryFieldsOf } from "./retryFields";
import { RetryItems } from "./RetryItems";

const backoff: Backoff = { initialDelay: "PT1.5S", multiplier: 3, maxDelay: "PT1H", jitter: 0.2 };

const shown = (maxAttempts: number, changes: Partial<Backoff> = {}): string =>
  render(<BackoffWords policy={{ maxAttempts, backoff: { ...backoff, ...changes } }} />).container.textContent ?? "";

function RetryForm({ maxAttempts }: { maxAttempts: number }) {
  return (
    <Form initialValues={retryFieldsOf({ maxAttempts, backoff })}>
      <RetryItems hint="attempts of each" />
    </Form>
  );
}

const isHidden = (label: string): boolean => screen.getByLabelText(label).closest(".ant-form-item-hidden") !== null;

describe("the retry settings @must-kernel", () => {
  it("go through a form unchanged", () => {
    expect(retryDraft(retryFieldsOf({ maxAttempts: 4, backoff }))).toEqual({ maxAttempts: 4, backoff: { ...backoff, maxDelay: "PT3600S" } });
  });

  it("say how long further attempts wait, and how much that varies", () => {
    expect(shown(4)).toBe("1.5\u00A0s, × 3 per attempt, max 1\u00A0h, ± 20%");
    expect(shown(4, { jitter: 0 })).toBe("1.5\u00A0s, × 3 per attempt, max 1\u00A0h");
    expect(shown(1)).toBe("No retries");
  });

  it("ask for delays only where there is a second attempt", () => {
    const { unmount } = render(<RetryForm maxAttempts={1} />);
    expect(screen.getByLabelText("Max attempts")).toBeTruthy();
    expect(isHidden("Initial retry delay (seconds)")).toBe(true);
    unmount();
    render(<RetryForm maxAttempts={2} />);
    expect(isHidden("Initial retry delay (seconds)")).toBe(false);
    expect(screen.getByLabelText<HTMLInputElement>("Initial retry delay (seconds)").value).toBe("1.5");
    expect(screen.getByLabelText<HTMLInputElement>(/^Jitter/u).value).toBe("0.2");
  });
});
