import { DeleteOutlined, RedoOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeadFilter } from "../../api/deadLetters";
import { mostAtOnce } from "../../api/messages";
import { type BulkAction, bulkActions, type Operation, type Scope, scopeOf } from "../../api/operations";
import { resolveRange } from "../../lib/time";
import { StartedDialog } from "../operations/StartedDialog";
import { BulkDialog } from "./BulkDialog";

type Props = {
  shown: boolean;
  filter: DeadFilter;
  /** The numbers of those that are selected. */
  chosen: string[];
  onClear: () => void;
};

const icons: Record<BulkAction, ReactNode> = { RETRY: <RedoOutlined />, DISCARD: <DeleteOutlined /> };

/** A range that moves on must not do so between the question and the answer. */
const scopeNow = (filter: DeadFilter, chosen: string[]): Scope =>
  chosen.length === 0 ? scopeOf(resolveRange(filter, new Date())) : { ids: chosen.slice(0, mostAtOnce) };

/** Retries or discards what is selected; where nothing is, all that matches, on this page and beyond. */
export function BulkActions({ shown, filter, chosen, onClear }: Props) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{ action: BulkAction; scope: Scope } | null>(null);
  const [started, setStarted] = useState<Operation | null>(null);
  const count = Math.min(chosen.length, mostAtOnce);
  const word = (action: BulkAction): string => {
    if (count > 0) {
      return t(`dead.selected.${action}`, { count });
    }
    return t(Object.keys(filter).length === 0 ? `dead.all.${action}` : `dead.matching.${action}`);
  };
  return (
    <>
      {shown ? (
        <div className="selection-bar row-actions bulk-bar">
          {bulkActions.map((action) => (
            <Button
              key={action}
              size="small"
              danger={action === "DISCARD"}
              icon={icons[action]}
              onClick={() => setAsked({ action, scope: scopeNow(filter, chosen) })}
            >
              {word(action)}
            </Button>
          ))}
          {count === 0 ? null : (
            <Button size="small" type="text" onClick={onClear}>
              {t("dead.clearSelection")}
            </Button>
          )}
        </div>
      ) : null}
      {asked === null ? null : (
        <BulkDialog
          action={asked.action}
          scope={asked.scope}
          onStarted={(operation) => {
            setStarted(operation);
            onClear();
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {started === null ? null : <StartedDialog operation={started} onClose={() => setStarted(null)} />}
    </>
  );
}
