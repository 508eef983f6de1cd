import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, Outlet, useLocation } from "react-router";
import { hasStatus } from "../api/problem";
import { sessionLost } from "../api/connection";
import { LoginOverlay } from "../features/auth/LoginOverlay";
import { SessionProvider, useSessionQuery } from "../features/auth/session";
import { preferences } from "../lib/preferences";
import { useStore } from "../lib/store";
import { ErrorPanel } from "../ui/ErrorPanel";
import { PausedBanner } from "./PausedBanner";
import { Rail } from "./Rail";
import { TopBar } from "./TopBar";

/** The frame of every page for someone who is logged in: rail, bar, content. */
export function Shell() {
  const { t } = useTranslation();
  const location = useLocation();
  const session = useSessionQuery();
  const { railCollapsed } = useStore(preferences);
  const [drawerOpen, setDrawerOpen] = useState(false);
  useEffect(() => {
    if (session.data !== undefined) {
      sessionLost.set(false);
    }
  }, [session.data]);

  if (session.data === undefined) {
    if (hasStatus(session.error, 401)) {
      const next = location.pathname + location.search;
      return <Navigate to={next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`} replace />;
    }
    return session.error === null ? (
      <div className="late" aria-busy="true" />
    ) : (
      <ErrorPanel error={session.error} onRetry={() => void session.refetch()} />
    );
  }
  return (
    <SessionProvider session={session.data}>
      <a className="skip-link" href="#content">
        {t("app.skip")}
      </a>
      <div className="shell" data-collapsed={railCollapsed} data-drawer={drawerOpen}>
        <Rail onNavigate={() => setDrawerOpen(false)} />
        <button
          type="button"
          className="rail-shade"
          aria-label={t("common.close")}
          tabIndex={drawerOpen ? 0 : -1}
          onClick={() => setDrawerOpen(false)}
        />
        <div className="shell-body">
          <TopBar onMenu={() => setDrawerOpen(true)} />
          <PausedBanner />
          <main id="content" className="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      <LoginOverlay />
    </SessionProvider>
  );
}
