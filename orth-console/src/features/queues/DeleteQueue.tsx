import { useTranslation } from "react-i18next";
import { deleteQueue, queueKeys } from "../../api/queues";
import { DeleteButton } from "../../ui/DeleteButton";
import { queuesPath } from "./paths";

export function DeleteQueue({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <DeleteButton
      title={t("queues.deleteTitle", { name })}
      hint={t("queues.deleteHint")}
      label={t("queues.deleteNamed", { name })}
      remove={() => deleteQueue(name)}
      deleted={t("queues.deleted", { name })}
      listPath={queuesPath}
      listKey={queueKeys.all}
      ownKey={queueKeys.one(name)}
    />
  );
}
