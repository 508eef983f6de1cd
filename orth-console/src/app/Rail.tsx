import {
  AuditOutlined,
  BarChartOutlined,
  BellOutlined,
  CalendarOutlined,
  ClusterOutlined,
  HistoryOutlined,
  KeyOutlined,
  LeftOutlined,
  RightOutlined,
  SolutionOutlined,
  TeamOutlined,
  ThunderboltOutlined,
} from "@ant-design/icons";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { useMay } from "../features/auth/session";
import { changePreferences, preferences } from "../lib/preferences";
import { useStore } from "../lib/store";
import { Logo } from "../ui/Logo";

type Entry = {
  to: string;
  text: "nav.jobs" | "nav.runs" | "nav.executors" | "nav.events" | "nav.duties" | "nav.reports" | "nav.alarms" | "nav.audit" | "nav.users" | "nav.tokens";
  Icon: ComponentType;
};

const work: Entry[] = [
  { to: "/jobs", text: "nav.jobs", Icon: CalendarOutlined },
  { to: "/runs", text: "nav.runs", Icon: HistoryOutlined },
  { to: "/executors", text: "nav.executors", Icon: ClusterOutlined },
  { to: "/events", text: "nav.events", Icon: ThunderboltOutlined },
  { to: "/duties", text: "nav.duties", Icon: SolutionOutlined },
  { to: "/reports", text: "nav.reports", Icon: BarChartOutlined },
  { to: "/alarms", text: "nav.alarms", Icon: BellOutlined },
];

const personal: Entry[] = [{ to: "/settings/tokens", text: "nav.tokens", Icon: KeyOutlined }];

const administration: Entry[] = [
  { to: "/audit", text: "nav.audit", Icon: AuditOutlined },
  { to: "/settings/users", text: "nav.users", Icon: TeamOutlined },
  ...personal,
];

export function Rail({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useTranslation();
  const { railCollapsed } = useStore(preferences);
  const administers = useMay("administer");
  return (
    <nav className="rail" aria-label={t("app.navigation")}>
      <div className="rail-brand">
        <Logo />
        <span className="rail-word">Orth</span>
      </div>
      <RailList entries={work} onNavigate={onNavigate} />
      <div className="rail-heading rail-word">{t("nav.settings")}</div>
      <RailList entries={administers ? administration : personal} onNavigate={onNavigate} />
      <button
        type="button"
        className="rail-collapse"
        aria-label={railCollapsed ? t("app.expand") : t("app.collapse")}
        onClick={() => void changePreferences({ railCollapsed: !railCollapsed })}
      >
        {railCollapsed ? <RightOutlined /> : <LeftOutlined />}
      </button>
    </nav>
  );
}

function RailList({ entries, onNavigate }: { entries: Entry[]; onNavigate: () => void }) {
  const { t } = useTranslation();
  return (
    <ul>
      {entries.map(({ to, text, Icon }) => (
        <li key={to}>
          <NavLink to={to} title={t(text)} onClick={onNavigate}>
            <Icon />
            <span className="rail-word">{t(text)}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
