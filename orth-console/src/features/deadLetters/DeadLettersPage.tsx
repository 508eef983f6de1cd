import { DownloadOutlined } from "@ant-design/icons";
import { Button, Tabs } from "antd";
import { useTranslation } from "react-i18next";
import { deadExportUrl, type DeadFilter, deadFilterKeys } from "../../api/deadLetters";
import { resolveRange } from "../../lib/time";
import { useNow } from "../../lib/useNow";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { DeadFilters } from "./DeadFilters";
import { DeadGroups } from "./DeadGroups";
import { DeadList } from "./DeadList";

const views = ["list", "groups"] as const;

/** All that was given up, one by one or by what went wrong. */
export default function DeadLettersPage() {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const url = useUrlFilter(["view"] as const);
  const filter = useUrlFilter(deadFilterKeys);
  const shown = views.find((view) => view === url.values.view) ?? "list";
  const panels = { list: <DeadList filter={filter} />, groups: <DeadGroups filter={filter} /> };
  return (
    <>
      <PageHeader title={t("dead.title")} actions={operates && shown === "list" ? <ExportButton filter={filter.values} /> : undefined} />
      <DeadFilters filter={filter} view={shown} />
      <Tabs
        activeKey={shown}
        onChange={(view) => url.set({ view: view === "list" ? undefined : view })}
        destroyOnHidden
        items={views.map((view) => ({ key: view, label: t(`dead.views.${view}`), children: panels[view] }))}
      />
    </>
  );
}

/** All that matches, whether it is on the page or not. */
function ExportButton({ filter }: { filter: DeadFilter }) {
  const { t } = useTranslation();
  const now = useNow();
  return (
    <Button icon={<DownloadOutlined />} href={deadExportUrl(resolveRange(filter, now))} download title={t("dead.exportHint")}>
      {t("dead.export")}
    </Button>
  );
}
