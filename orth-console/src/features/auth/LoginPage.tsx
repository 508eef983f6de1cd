import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate, useSearchParams } from "react-router";
import { readSetup, type Session, sessionKeys } from "../../api/session";
import { safeTarget } from "../../lib/safeTarget";
import { AuthFrame } from "./AuthFrame";
import { LoginForm } from "./LoginForm";
import { useAdoptSession } from "./session";

export default function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
  const [params] = useSearchParams();
  const adopt = useAdoptSession();
  const setup = useQuery({ queryKey: sessionKeys.setup, queryFn: ({ signal }) => readSetup(signal) });

  if (setup.data?.needed) {
    return <Navigate to="/setup" replace />;
  }
  const enter = (session: Session): void => {
    adopt(session);
    void navigate(safeTarget(params.get("next")), { replace: true });
  };
  const justSetUp = (location.state as { setUp?: boolean } | null)?.setUp === true;
  return (
    <AuthFrame title={t("auth.title")}>
      {justSetUp ? <Alert type="success" showIcon title={t("auth.setupDone")} className="form-alert" /> : null}
      <LoginForm onLogIn={enter} />
    </AuthFrame>
  );
}
