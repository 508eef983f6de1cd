import { useQueryClient } from "@tanstack/react-query";
import { Button, Modal } from "antd";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { deadKeys } from "../../api/deadLetters";
import { isFinished, type Operation } from "../../api/operations";
import { LinkButton } from "../../ui/LinkButton";
import { OperationProgress, OperationTag } from "./operationLook";
import { operationPath } from "./paths";
import { useOperation } from "./useOperation";

/** What was just begun, how it goes, and the way to it. It goes on without anybody watching. */
export function StartedDialog({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  const { t } = useTranslation();
  const current = useOperation(operation.id).data ?? operation;
  const { id, status } = current;
  const client = useQueryClient();
  const finished = isFinished(status);
  // Lists that were searched for a text are not asked again by themselves.
  useEffect(() => {
    if (finished) {
      void client.invalidateQueries({ queryKey: deadKeys.all });
    }
  }, [client, finished]);
  return (
    <Modal
      open
      title={t("operations.started", { id })}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common.close")}</Button>
          <LinkButton type="primary" to={operationPath(id)}>
            {t("operations.open", { id })}
          </LinkButton>
        </>
      }
    >
      <p>{t("operations.startedHint")}</p>
      <div className="started-operation" aria-live="polite">
        <OperationTag status={status} />
        <OperationProgress of={current} />
      </div>
    </Modal>
  );
}
