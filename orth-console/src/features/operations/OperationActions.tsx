import { PauseOutlined, PlayCircleOutlined, StopOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { movesOf, type Operation, type OperationMove } from "../../api/operations";
import { useConfirm } from "../../ui/useConfirm";
import { useMoveOperation } from "./useOperation";

const looks: Record<OperationMove, { icon: ReactNode; danger: boolean }> = {
  pause: { icon: <PauseOutlined />, danger: false },
  resume: { icon: <PlayCircleOutlined />, danger: false },
  abort: { icon: <StopOutlined />, danger: true },
};

/** What can be asked of an operation where it stands; nothing when it is over. */
export function OperationActions({ operation }: { operation: Operation }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const move = useMoveOperation(operation.id);
  const { id, status } = operation;
  const ask = (wanted: OperationMove): void =>
    confirm({
      title: t(`operations.ask.${wanted}`, { id }),
      hint: t(`operations.askHint.${wanted}`),
      ok: t(`operations.move.${wanted}`),
      danger: looks[wanted].danger,
      act: () => move.mutateAsync(wanted),
    });
  return movesOf[status].map((each) => (
    <Button key={each} danger={looks[each].danger} icon={looks[each].icon} onClick={() => ask(each)}>
      {t(`operations.move.${each}`)}
    </Button>
  ));
}
