import { Alert, Button, Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasStatus, Problem } from "../../api/problem";
import { logIn, type Session } from "../../api/session";
import { useNow } from "../../lib/useNow";
import { ProblemText } from "../../ui/ErrorPanel";

type Fields = { user: string; password: string };

type Props = { onLogIn: (session: Session) => void; user?: string };

export function LoginForm({ onLogIn, user }: Props) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState({ until: 0, seconds: 0 });
  // The clock may be a moment behind, so the first number is the server's own.
  const left = Math.ceil((refused.until - useNow().getTime()) / 1000);
  const wait = Math.max(0, Math.min(refused.seconds, left));

  const submit = async ({ user: name, password }: Fields): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onLogIn(await logIn(name, password));
    } catch (problem) {
      setError(problem);
      if (problem instanceof Problem && problem.status === 429) {
        const seconds = problem.retryAfter ?? 30;
        setRefused({ until: Date.now() + seconds * 1000, seconds });
      }
    } finally {
      setBusy(false);
    }
  };

  return (
    <Form<Fields> layout="vertical" requiredMark={false} onFinish={(fields) => void submit(fields)} initialValues={{ user }}>
      <LoginError error={error} wait={wait} />
      <Form.Item name="user" label={t("auth.user")} rules={[{ required: true, message: t("common.required") }]}>
        <Input autoComplete="username" autoFocus={user === undefined} spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t("auth.password")} rules={[{ required: true, message: t("common.required") }]}>
        <Input.Password autoComplete="current-password" autoFocus={user !== undefined} />
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={busy} disabled={wait > 0}>
        {t("auth.logIn")}
      </Button>
    </Form>
  );
}

function LoginError({ error, wait }: { error: unknown; wait: number }) {
  const { t } = useTranslation();
  if (error === null || (hasStatus(error, 429) && wait === 0)) {
    return null;
  }
  const text = hasStatus(error, 429) ? (
    t("auth.wait", { count: wait })
  ) : hasStatus(error, 401) ? (
    t("auth.wrong")
  ) : error instanceof Problem && error.unreachable ? (
    t("error.unreachable")
  ) : (
    <ProblemText error={error} />
  );
  return <Alert type="error" showIcon title={text} className="form-alert" role="alert" />;
}
