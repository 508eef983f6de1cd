import { App } from "antd";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../api/problem";
import { ProblemText } from "./ErrorPanel";

type Report = { done: (text: string) => void; failed: (error: unknown) => void };

/** Says what came of an action. */
export function useReport(): Report {
  const { message, notification } = App.useApp();
  const { t } = useTranslation();
  const done = useCallback((text: string) => void message.success(text), [message]);
  const failed = useCallback(
    (error: unknown) => {
      const unreachable = error instanceof Problem && error.unreachable;
      notification.error({
        title: t("error.action"),
        description: unreachable ? t("error.unreachable") : <ProblemText error={error} />,
        role: "alert",
      });
    },
    [notification, t],
  );
  return { done, failed };
}
