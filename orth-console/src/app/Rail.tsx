import {
  ApartmentOutlined,
  AuditOutlined,
  BarChartOutlined,
  BellOutlined,
  CalendarOutlined,
  ClusterOutlined,
  ExceptionOutlined,
  FileTextOutlined,
  HistoryOutlined,
  InboxOutlined,
  KeyOutlined,
  LeftOutlined,
  NodeIndexOutlined,
  RightOutlined,
  SolutionOutlined,
  TeamOutlined,
  ThunderboltOutlined,
  ToolOutlined,
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
  text: "nav.jobs" | "nav.runs" | "nav.queues" | "nav.deadLetters" | "nav.operations" | "nav.pipelines" | "nav.pipelineRuns" | "nav.executors" | "nav.events" | "nav.duties" | "nav.systemLog" | "nav.reports" | "nav.alarms" | "nav.audit" | "nav.users" | "nav.tokens";
  Icon: ComponentType;
};

const work: Entry[] = [
  { to: "/jobs", text: "nav.jobs", Icon: CalendarOutlined },
  { to: "/runs", text: "nav.runs", Icon: HistoryOutlined },
  { to: "/queues", text: "nav.queues", Icon: InboxOutlined },
  { to: "/dead-letters", text: "nav.deadLetters", Icon: ExceptionOutlined },
  { to: "/operations", text: "nav.operations", Icon: ToolOutlined },
  { to: "/pipelines", text: "nav.pipelines", Icon: ApartmentOutlined },
  { to: "/pipeline-runs", text: "nav.pipelineRuns", Icon: NodeIndexOutlined },
  { to: "/executors", text: "nav.executors", Icon: ClusterOutlined },
  { to: "/events", text: "nav.events", Icon: ThunderboltOutlined },
  { to: "/duties", text: "nav.duties", Icon: SolutionOutlined },
  { to: "/system-log", text: "nav.systemLog", Icon: FileTextOutlined },
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
