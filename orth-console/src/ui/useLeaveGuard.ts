import { App } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useBlocker } from "react-router";

/** A form that was saved is left without a question. */
export type LeaveGuard = { release: () => void };

/** Asks before a page is left whose form was changed and not saved: inside the console, and by the browser itself. */
export function useLeaveGuard(isChanged: () => boolean): LeaveGuard {
  const { modal } = App.useApp();
  const { t } = useTranslation();
  const released = useRef(false);
  const changed = useRef(isChanged);
  useEffect(() => {
    changed.current = isChanged;
  }, [isChanged]);
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      from.pathname !== to.pathname && to.pathname !== "/login" && !released.current && changed.current(),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") {
      return undefined;
    }
    const question = modal.confirm({
      title: t("leave.title"),
      content: t("leave.hint"),
      okText: t("leave.ok"),
      okButtonProps: { danger: true },
      cancelText: t("leave.stay"),
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    });
    return () => question.destroy();
  }, [blocker, modal, t]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (!released.current && changed.current()) {
        event.preventDefault();
      }
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  return { release: () => (released.current = true) };
}
