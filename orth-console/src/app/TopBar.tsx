import { LockOutlined, LogoutOutlined, MenuOutlined, UserOutlined } from "@ant-design/icons";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, Dropdown, Tag, Tooltip } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { logOut } from "../api/session";
import { readSystem, systemKeys } from "../api/system";
import { PasswordDialog } from "../features/auth/PasswordDialog";
import { useSession } from "../features/auth/session";
import { pollMillis } from "../lib/queryClient";
import { zoneLabel } from "../lib/time";
import { useNow } from "../lib/useNow";
import { LanguageSwitch, ThemeSwitch } from "../ui/PreferenceSwitches";
import { useReport } from "../ui/useReport";
import { Freshness } from "./Freshness";

export function TopBar({ onMenu }: { onMenu: () => void }) {
  const { t } = useTranslation();
  return (
    <header className="top-bar">
      <Button className="menu-button" type="text" icon={<MenuOutlined />} aria-label={t("app.openNavigation")} onClick={onMenu} />
      <SystemBadge />
      <div className="top-bar-end">
        <Freshness />
        <ZoneBadge />
        <LanguageSwitch />
        <ThemeSwitch />
        <UserMenu />
      </div>
    </header>
  );
}

/** Which installation this is. Its polling is also the heartbeat behind the freshness dot. */
function SystemBadge() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: systemKeys.all,
    queryFn: ({ signal }) => readSystem(signal),
    refetchInterval: pollMillis.system,
    retry: false,
  });
  if (data === undefined) {
    return <span />;
  }
  return (
    <Tooltip title={t("app.database", { database: data.database })}>
      <div className="system-badge">
        {data.environment === "" ? null : <Tag variant="outlined">{data.environment}</Tag>}
        <span className="wide-only muted">{t("app.node", { node: data.node })}</span>
        <span className="wide-only muted">{t("app.version", { version: data.version })}</span>
      </div>
    </Tooltip>
  );
}

/** In which zone all times on the page are. */
function ZoneBadge() {
  const { t } = useTranslation();
  const label = zoneLabel(useNow());
  return (
    <Tooltip title={t("app.zoneHint")}>
      <span className="wide-only muted zone-badge">{label}</span>
    </Tooltip>
  );
}

function UserMenu() {
  const { t } = useTranslation();
  const { user, role } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const report = useReport();
  const [changing, setChanging] = useState(false);
  const leave = async (): Promise<void> => {
    try {
      await logOut();
      await navigate("/login", { replace: true });
      client.clear();
    } catch (error) {
      report.failed(error);
    }
  };
  return (
    <>
      <Dropdown
        trigger={["click"]}
        menu={{
          items: [
            { key: "who", type: "group", label: `${user} · ${t(`role.${role}`)}` },
            { key: "password", icon: <LockOutlined />, label: t("app.changePassword"), onClick: () => setChanging(true) },
            { key: "leave", icon: <LogoutOutlined />, label: t("app.logOut"), onClick: () => void leave() },
          ],
        }}
      >
        <Button type="text" icon={<UserOutlined />} aria-label={t("app.userMenu", { user })}>
          <span className="wide-only">{user}</span>
        </Button>
      </Dropdown>
      <PasswordDialog open={changing} onClose={() => setChanging(false)} />
    </>
  );
}
