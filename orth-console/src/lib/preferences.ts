import { type Language, languages, switchLanguage } from "./i18n";
import { createStore } from "./store";
import { themeClass, type ThemeName, themes } from "./theme";

/** What this browser remembers about its viewer. */
export type Preferences = { language: Language; theme: ThemeName; railCollapsed: boolean; wrapLog: boolean };

const key = "orth.preferences";

function initial(): Preferences {
  const chinese = navigator.language.toLowerCase().startsWith("zh");
  const dark = window.matchMedia?.("(prefers-color-scheme: dark)").matches ?? false;
  return { language: chinese ? "zh" : "en", theme: dark ? "dark" : "light", railCollapsed: false, wrapLog: false };
}

const isOneOf = <T extends string>(known: readonly T[], value: unknown): value is T => known.includes(value as T);

/** Takes what is still understood from what was stored, by whatever version. */
export function readPreferences(stored: string | null, defaults: Preferences): Preferences {
  let found: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    found = (JSON.parse(stored ?? "{}") ?? {}) as typeof found;
  } catch {
    // Not ours: the defaults stand.
  }
  return {
    language: isOneOf(languages, found.language) ? found.language : defaults.language,
    theme: isOneOf(themes, found.theme) ? found.theme : defaults.theme,
    railCollapsed: typeof found.railCollapsed === "boolean" ? found.railCollapsed : defaults.railCollapsed,
    wrapLog: typeof found.wrapLog === "boolean" ? found.wrapLog : defaults.wrapLog,
  };
}

export const preferences = createStore<Preferences>(readPreferences(localStorage.getItem(key), initial()));

export async function changePreferences(change: Partial<Preferences>): Promise<void> {
  const next = { ...preferences.get(), ...change };
  await applyPreferences(next);
  preferences.set(next);
  localStorage.setItem(key, JSON.stringify(next));
}

export async function applyPreferences(next: Preferences = preferences.get()): Promise<void> {
  await switchLanguage(next.language);
  const root = document.documentElement;
  root.lang = next.language === "zh" ? "zh-CN" : "en";
  root.dataset.theme = next.theme;
  root.classList.add(themeClass);
  root.style.colorScheme = next.theme;
}
