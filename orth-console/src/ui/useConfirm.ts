import { App } from "antd";
import { useTranslation } from "react-i18next";

type Question = { title: string; hint: string; ok: string; act: () => Promise<unknown> };

/** Asks before something that cannot be taken back. The dialog stays until it is done. */
export function useConfirm(): (question: Question) => void {
  const { modal } = App.useApp();
  const { t } = useTranslation();
  return ({ title, hint, ok, act }) =>
    void modal.confirm({
      title,
      content: hint,
      okText: ok,
      okButtonProps: { danger: true },
      cancelText: t("common.cancel"),
      // Whoever acts reports its own failure.
      onOk: () => act().catch(() => undefined),
    });
}
