import { useMutation } from "@tanstack/react-query";
import { Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { changePassword } from "../../api/session";
import { FormDialog } from "../../ui/FormDialog";
import { useReport } from "../../ui/useReport";
import { NewPasswordItems } from "./NewPasswordItems";

type Fields = { current: string; next: string; repeat: string };

/** Changes one's own password. */
export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const report = useReport();
  const change = useMutation({
    mutationFn: ({ current, next }: Fields) => changePassword(current, next),
    onSuccess: () => report.done(t("auth.passwordChanged")),
  });
  return (
    <FormDialog<Fields>
      open={open}
      title={t("app.changePassword")}
      fields={["current", "next"]}
      busy={change.isPending}
      onSubmit={change.mutateAsync}
      onClose={onClose}
    >
      <Form.Item name="current" label={t("auth.current")} rules={[{ required: true, message: t("common.required") }]}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <NewPasswordItems passwordName="next" />
    </FormDialog>
  );
}
