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
      const silent = error instanceof Problem && error.unreachable ? error : null;
      notification.error({
        title: t("error.action"),
        description:
          silent === null ? <ProblemText error={error} /> : t(silent.toChange ? "error.unknownOutcome" : "error.unreachable"),
        role: "alert",
      });
    },
    [notification, t],
  );
  return { done, failed };
}
