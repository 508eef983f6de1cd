import { configure } from "@testing-library/react";
import { afterEach, beforeAll, vi } from "vitest";
import { switchLanguage } from "../lib/i18n";

// What jsdom lacks and Ant Design asks for.
Object.defineProperty(window, "matchMedia", {
  value: (query: string) => ({ matches: false, media: query, addEventListener: () => {}, removeEventListener: () => {}, addListener: () => {}, removeListener: () => {} }),
});
globalThis.ResizeObserver = class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

Element.prototype.scrollIntoView = () => {};

configure({ asyncUtilTimeout: 15_000 });

beforeAll(() => switchLanguage("en"));

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});
