import { AlertOutlined } from "@ant-design/icons";
import { Tag, Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { QueueAlert } from "../../api/queueAlerts";

/** Marks a queue that some of these alerts fire for. */
export function FiringTag({ queue, alerts }: { queue: string; alerts: readonly QueueAlert[] }) {
  const { t } = useTranslation();
  const firing = alerts.filter((alert) => alert.queue === queue);
  if (firing.length === 0) {
    return null;
  }
  return (
    <Tooltip title={firing.map(({ ruleName, text }) => `${ruleName}: ${text}`).join("; ")}>
      <Link to="/queue-alerts">
        <Tag color="error" icon={<AlertOutlined />}>
          {t("queueAlerts.fires")}
        </Tag>
      </Link>
    </Tooltip>
  );
}
