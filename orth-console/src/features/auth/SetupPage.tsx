import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert, Button, Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate } from "react-router";
import { readSetup, sessionKeys, setUp } from "../../api/session";
import { ProblemText } from "../../ui/ErrorPanel";
import { showFieldErrors } from "../../ui/serverErrors";
import { AuthFrame } from "./AuthFrame";
import { NewPasswordItems } from "./NewPasswordItems";

type Fields = { code: string; user: string; password: string; repeat: string };

const fieldNames = { code: "code", user: "user", name: "user", password: "password" };

export default function SetupPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [form] = Form.useForm<Fields>();
  const setup = useQuery({ queryKey: sessionKeys.setup, queryFn: ({ signal }) => readSetup(signal) });
  const create = useMutation({
    mutationFn: ({ code, user, password }: Fields) => setUp(code.trim(), user, password),
    onSuccess: async () => {
      client.setQueryData(sessionKeys.setup, { needed: false });
      await navigate("/login", { replace: true, state: { setUp: true } });
    },
    onError: (error) => showFieldErrors(form, error, fieldNames),
  });

  if (setup.data?.needed === false) {
    return <Navigate to="/login" replace />;
  }
  const required = { required: true, message: t("common.required") };
  return (
    <AuthFrame title={t("auth.setupTitle")}>
      <p className="muted">{t("auth.setupHint")}</p>
      {create.error === null ? null : (
        <Alert type="error" showIcon role="alert" className="form-alert" title={<ProblemText error={create.error} />} />
      )}
      <Form form={form} layout="vertical" requiredMark={false} onFinish={(fields: Fields) => create.mutate(fields)}>
        <Form.Item name="code" label={t("auth.code")} rules={[required]}>
          <Input autoComplete="one-time-code" spellCheck={false} className="mono" autoFocus />
        </Form.Item>
        <Form.Item name="user" label={t("auth.user")} rules={[required]}>
          <Input autoComplete="username" spellCheck={false} />
        </Form.Item>
        <NewPasswordItems passwordName="password" />
        <Button type="primary" htmlType="submit" block loading={create.isPending}>
          {t("auth.setUp")}
        </Button>
      </Form>
    </AuthFrame>
  );
}
