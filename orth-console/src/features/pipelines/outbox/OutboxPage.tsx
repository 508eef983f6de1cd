import { RedoOutlined } from "@ant-design/icons";
import { Button, Tabs } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { outboxStates } from "../../../api/outbox";
import { useUrlFilter } from "../../../lib/useUrlFilter";
import { PageHeader } from "../../../ui/PageHeader";
import { useConfirm } from "../../../ui/useConfirm";
import { useMay } from "../../auth/session";
import { pipelinesPath } from "../paths";
import { OutboxTable } from "./OutboxTable";
import { useRedrive } from "./useRedrive";

/** What is promised to queues and webhooks and not kept yet. */
export default function OutboxPage() {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const url = useUrlFilter(["state"] as const);
  const shown = outboxStates.find((state) => state === url.values.state) ?? "PARKED";
  return (
    <>
      <PageHeader
        title={t("outbox.title")}
        before={<Link to={pipelinesPath}>{t("pipelines.title")}</Link>}
        actions={operates ? <RedriveAll /> : undefined}
      />
      <p className="muted page-lead">{t("outbox.hint")}</p>
      <Tabs
        activeKey={shown}
        onChange={(state) => url.set({ state: state === "PARKED" ? undefined : state })}
        destroyOnHidden
        items={outboxStates.map((state) => ({
          key: state,
          label: t(`outbox.states.${state}`),
          children: <OutboxTable state={state} />,
        }))}
      />
    </>
  );
}

function RedriveAll() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const redrive = useRedrive();
  return (
    <Button
      icon={<RedoOutlined />}
      onClick={() =>
        confirm({
          title: t("outbox.redriveAllTitle"),
          hint: t("outbox.redriveHint"),
          ok: t("outbox.redrive"),
          danger: false,
          act: () => redrive.mutateAsync("all"),
        })
      }
    >
      {t("outbox.redriveAll")}
    </Button>
  );
}
