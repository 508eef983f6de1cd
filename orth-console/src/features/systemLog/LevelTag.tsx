import { CloseCircleOutlined, InfoCircleOutlined, WarningOutlined } from "@ant-design/icons";
import { Tag } from "antd";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { LogLevel } from "../../api/systemLog";

/** A new level does not compile until it has a look here. */
export const levelLook: Record<LogLevel, { color: "default" | "warning" | "error"; Icon: ComponentType }> = {
  INFO: { color: "default", Icon: InfoCircleOutlined },
  WARN: { color: "warning", Icon: WarningOutlined },
  ERROR: { color: "error", Icon: CloseCircleOutlined },
};

export function LevelTag({ level }: { level: LogLevel }) {
  const { t } = useTranslation();
  const { color, Icon } = levelLook[level];
  return (
    <Tag color={color} icon={<Icon />}>
      {t(`logLevel.${level}`)}
    </Tag>
  );
}
