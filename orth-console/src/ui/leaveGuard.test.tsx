import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { pagesAt, press } from "../test/pages";
import { useLeaveGuard } from "./useLeaveGuard";

function FormPage() {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const guard = useLeaveGuard(() => text !== "");
  const save = (): void => {
    guard.release();
    void navigate("/list");
  };
  return (
    <>
      <input aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
      <Link to="/list">list</Link>
      <Link to="/form?tab=more">tab</Link>
      <button type="button" onClick={save}>
        save
      </button>
    </>
  );
}

const open = () =>
  pagesAt([
    { path: "/form", Component: FormPage },
    { path: "/list", element: <p>the list</p> },
  ])("/form");

const change = (): void => {
  fireEvent.change(screen.getByLabelText("text"), { target: { value: "typed" } });
};

const question = (): string | undefined => document.querySelector(".ant-modal-confirm-title")?.textContent ?? undefined;

/** Whether the browser is told to ask before the page is closed. */
const asksOnClose = (): boolean => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

describe("a changed form @must-first", () => {
  afterEach(cleanup);

  it("is left only after a question, and kept where the answer is no", async () => {
    const router = open();
    change();
    fireEvent.click(screen.getByText("list"));
    await waitFor(() => expect(question()).toBe("Leave without saving?"));
    await press("Keep editing");
    // The dialog fades out, which takes for ever where nothing is drawn.
    await waitFor(() => expect([...router.state.blockers.values()].map(({ state }) => state)).toEqual(["unblocked"]));
    expect(router.state.location.pathname).toBe("/form");
    expect((screen.getByLabelText("text") as HTMLInputElement).value).toBe("typed");

    fireEvent.click(screen.getByText("list"));
    await press("Leave");
    expect(await screen.findByText("the list")).toBeTruthy();
  });

  it("is asked about by the browser too, and not once it is unchanged again", () => {
    open();
    expect(asksOnClose()).toBe(false);
    change();
    expect(asksOnClose()).toBe(true);
    fireEvent.change(screen.getByLabelText("text"), { target: { value: "" } });
    expect(asksOnClose()).toBe(false);
  });

  it("is left without a question when it is saved, or only its tab changes", async () => {
    const router = open();
    change();
    fireEvent.click(screen.getByText("tab"));
    expect(router.state.location.search).toBe("?tab=more");
    fireEvent.click(screen.getByText("save"));
    expect(await screen.findByText("the list")).toBeTruthy();
    expect(question()).toBeUndefined();
  });
});
