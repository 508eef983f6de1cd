import { QueryClientProvider } from "@tanstack/react-query";
import { configure, fireEvent, render, waitFor } from "@testing-library/react";
import { App } from "antd";
import { createMemoryRouter, type RouteObject, RouterProvider } from "react-router";
import { vi } from "vitest";
import type { Role } from "../api/session";
import { SessionProvider } from "../features/auth/session";
import { createQueryClient } from "../lib/queryClient";

// Whole pages take their time where many things run at once.
vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 20_000 });

/** Shows the page at an address, to somebody of a role; gives back the router, which knows the address. */
export const pagesAt =
  (routes: RouteObject[]) =>
  (address: string, role: Role = "OPERATOR") => {
    const router = createMemoryRouter(routes, { initialEntries: [address] });
    render(
      <App>
        <QueryClientProvider client={createQueryClient()}>
          <SessionProvider session={{ user: "ann", role }}>
            <RouterProvider router={router} />
          </SessionProvider>
        </QueryClientProvider>
      </App>,
    );
    return router;
  };

const wordOf = (button: Element): string => button.getAttribute("aria-label") ?? button.textContent ?? "";

/** What the buttons say; those of fields and tabs say nothing. */
export const words = (): string[] => [...document.querySelectorAll("button")].map(wordOf).filter((word) => word !== "");

/** The newest button that says so, as soon as there is one. Icons have names too, so its whole name is not its word. */
export const findButton = (word: string): Promise<HTMLButtonElement> =>
  waitFor(() => {
    const found = [...document.querySelectorAll("button")].findLast((button) => wordOf(button) === word);
    if (found === undefined) {
      throw new Error(`no button says ${word}, only: ${words().join(", ")}`);
    }
    return found;
  });

export const press = async (word: string): Promise<void> => {
  fireEvent.click(await findButton(word));
};
