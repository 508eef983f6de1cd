import type { ReactNode } from "react";
import { useEffect } from "react";
import { LanguageSwitch, ThemeSwitch } from "../../ui/PreferenceSwitches";
import { Logo } from "../../ui/Logo";

/** The page around a form for someone who is not logged in. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Orth`;
  }, [title]);
  return (
    <div className="auth-page">
      <header className="auth-bar">
        <LanguageSwitch />
        <ThemeSwitch />
      </header>
      <main className="auth-card">
        <h1>
          <Logo /> {title}
        </h1>
        {children}
      </main>
    </div>
  );
}
