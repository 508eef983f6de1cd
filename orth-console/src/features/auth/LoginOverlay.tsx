import { Modal } from "antd";
import { useTranslation } from "react-i18next";
import { sessionLost } from "../../api/connection";
import { useStore } from "../../lib/store";
import { LoginForm } from "./LoginForm";
import { useAdoptSession, useSession } from "./session";

/** Asks for the login on top of the page that was open when the session ended. The page stays as it is. */
export function LoginOverlay() {
  const { t } = useTranslation();
  const lost = useStore(sessionLost);
  const { user } = useSession();
  const adopt = useAdoptSession();
  return (
    <Modal open={lost} title={t("auth.title")} footer={null} closable={false} keyboard={false} destroyOnHidden width={380}>
      <p className="muted">{t("auth.again")}</p>
      <LoginForm
        user={user}
        onLogIn={(session) => {
          sessionLost.set(false);
          adopt(session);
        }}
      />
    </Modal>
  );
}
