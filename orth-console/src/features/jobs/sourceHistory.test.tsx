import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { toJob } from "../../api/jobs";
import { jobWire } from "../../test/factories";
import { fakeServer } from "../../test/fakeFetch";
import { pagesAt } from "../../test/pages";
import { SourceHistory } from "./SourceHistory";

afterEach(cleanup);

const source = (version: number, text: string | null) => ({
  version,
  type: "GLUE_SHELL",
  bytes: 12,
  note: "",
  author: "ann",
  createdAt: "2026-11-03T13:05:09.120Z",
  source: text,
});

describe("the versions of a source", () => {
  it("shows the text of a version whose number is that of the job @must-first", async () => {
    const calls = fakeServer({
      "GET /api/jobs/7/sources": { body: { items: [source(1, null)], next: null } },
      "GET /api/jobs/7/sources/1": { body: source(1, "echo hello") },
    });
    const job = toJob(jobWire({ version: 1, handler: null, glue: { type: "GLUE_SHELL", version: 1, source: "echo hello" } }));
    pagesAt([{ path: "/", element: <SourceHistory job={job} shown="1" show={() => undefined} /> }])("/");
    await screen.findByText("Show version");
    await waitFor(() => expect(document.querySelector(".ant-drawer .code-editor, .ant-drawer textarea")?.textContent).toContain("echo hello"));
    expect(calls.map((call) => call.url)).toContain("/api/jobs/7/sources/1");
  });
});
