import { InboxOutlined, PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AlertRule } from "../../api/queueAlerts";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { EndedAlerts, FiringAlerts } from "./AlertTables";
import { RuleDialog } from "./RuleDialog";
import { RulesTable } from "./RulesTable";

/** What fires now, what is watched for, and what has fired. */
export default function QueueAlertsPage() {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const [editing, setEditing] = useState<AlertRule | "new" | null>(null);
  return (
    <>
      <PageHeader
        title={t("queueAlerts.title")}
        actions={
          <>
            <LinkButton to="/queues" icon={<InboxOutlined />}>
              {t("queues.title")}
            </LinkButton>
            {operates ? (
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing("new")}>
                {t("queueAlerts.new")}
              </Button>
            ) : null}
          </>
        }
      />
      <FiringAlerts />
      <RulesTable onEdit={operates ? setEditing : null} />
      <EndedAlerts />
      {editing === null ? null : <RuleDialog rule={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
    </>
  );
}
