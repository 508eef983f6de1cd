import { cleanup, render, screen } from "@testing-library/react";
import { App } from "antd";
import { useEffect } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../api/problem";
import { ErrorPanel } from "./ErrorPanel";
import { useReport } from "./useReport";

const noAnswer = new Problem(0, {});
const noAnswerToWrite = new Problem(0, {}, null, true);

function Reporting({ error }: { error: Problem }) {
  const { failed } = useReport();
  useEffect(() => failed(error), [failed, error]);
  return null;
}

const report = (error: Problem) =>
  render(
    <App>
      <Reporting error={error} />
    </App>,
  );

describe("a server that does not respond @must-first", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    cleanup();
  });

  it("is asked again where a panel says so", () => {
    const retry = vi.fn();
    const { rerender } = render(<ErrorPanel error={noAnswer} onRetry={retry} />);
    expect(screen.getByRole("alert").textContent).toContain("Retrying…");
    vi.advanceTimersByTime(3000);
    rerender(<ErrorPanel error={noAnswer} onRetry={() => retry()} />);
    vi.advanceTimersByTime(2000);
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it("is not said to be asked again where nothing does so", () => {
    render(<ErrorPanel error={noAnswer} />);
    expect(screen.getByRole("alert").textContent).toContain("The server is not responding.");
    expect(screen.getByRole("alert").textContent).not.toContain("Retrying");
  });

  it("leaves open what became of an action, which is not repeated", () => {
    report(noAnswerToWrite);
    expect(screen.getByRole("alert").textContent).toContain("It is unknown whether the change was made");
    expect(screen.getByRole("alert").textContent).not.toContain("Retrying");
  });

  it("cannot have changed anything by reading", () => {
    report(noAnswer);
    expect(screen.getByRole("alert").textContent).toContain("The server is not responding.");
    expect(screen.getByRole("alert").textContent).not.toContain("unknown");
  });
});
