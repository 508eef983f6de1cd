import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { listOutbox, outboxKeys } from "../../../api/outbox";
import { pollMillis } from "../../../lib/queryClient";
import { LinkButton } from "../../../ui/LinkButton";
import { outboxPath } from "../paths";

/** Says so where tasks wait for somebody to decide; whether there is one is all that is asked. */
export function ParkedNotice() {
  const { t } = useTranslation();
  const parked = useQuery({
    queryKey: outboxKeys.parked,
    queryFn: ({ signal }) => listOutbox("PARKED", null, signal, 1),
    refetchInterval: pollMillis.lists * 2,
  });
  return (parked.data?.items.length ?? 0) === 0 ? null : (
    <Alert
      type="warning"
      showIcon
      className="form-alert"
      title={t("outbox.parkedNotice")}
      action={
        <LinkButton size="small" to={outboxPath}>
          {t("outbox.look")}
        </LinkButton>
      }
    />
  );
}
