import { cleanup, screen, waitFor } from "@testing-library/react";
import { getI18n } from "react-i18next";
import { afterEach, describe, expect, it } from "vitest";
import type { Installation } from "../api/system";
import { switchLanguage } from "../lib/i18n";
import { fakeServer } from "../test/fakeFetch";
import { pagesAt, press, words } from "../test/pages";
import { PausedBanner } from "./PausedBanner";

const show = pagesAt([{ path: "/", Component: PausedBanner }]);

const live: Installation = { id: "b", copiedFromId: null, paused: false, pausedAt: null, pauseReason: null };
const copied: Installation = { id: "b", copiedFromId: "a", paused: true, pausedAt: "2026-11-03T13:05:09Z", pauseReason: "COPIED" };

const system = (installation: Installation) => ({ body: { version: "1", node: "n", environment: "", database: "external", time: "2026-11-03T13:05:09Z", installation } });

afterEach(() => {
  cleanup();
  switchLanguage("en");
});

describe("the banner of a paused installation", () => {
  it("is not there while the installation is live", async () => {
    const calls = fakeServer({ "GET /api/system": system(live) });
    show("/", "ADMIN");
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("names the original, and lets an administrator resume", async () => {
    let now = copied;
    const calls = fakeServer({
      "GET /api/system": () => system(now),
      "POST /api/installation/resume": () => {
        now = live;
        return { body: live };
      },
    });
    show("/", "ADMIN");
    expect((await screen.findByRole("alert")).textContent).toContain("a copy of that of installation a");

    await press("Resume");
    await screen.findAllByText("Resume this installation?");
    await press("Resume");

    await waitFor(() => expect(screen.queryByText(/a copy of that of installation/)).toBeNull());
    expect(calls.filter((call) => call.method === "POST")).toHaveLength(1);
  });

  it("has no button for others, in either language", async () => {
    fakeServer({ "GET /api/system": system({ ...copied, pauseReason: "START_PAUSED", copiedFromId: null }) });
    switchLanguage("zh");
    show("/", "OPERATOR");
    expect((await screen.findByRole("alert")).textContent).toContain(getI18n().t("paused.startPaused"));
    expect(words()).toEqual([]);
  });
});
