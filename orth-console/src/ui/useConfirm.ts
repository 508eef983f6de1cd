import { App } from "antd";
import { useTranslation } from "react-i18next";

type Question = {
  title: string;
  hint: string;
  ok: string;
  /** False for what costs nothing to be done by mistake. */
  danger?: boolean;
  act: () => Promise<unknown>;
};

/** Asks before something that cannot be taken back, or concerns many. The dialog stays until it is done. */
export function useConfirm(): (question: Question) => void {
  const { modal } = App.useApp();
  const { t } = useTranslation();
  return ({ title, hint, ok, danger = true, act }) =>
    void modal.confirm({
      title,
      content: hint,
      okText: ok,
      okButtonProps: { danger },
      cancelText: t("common.cancel"),
      // Whoever acts reports its own failure.
      onOk: () => act().catch(() => undefined),
    });
}
