import { DeleteOutlined } from "@ant-design/icons";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useConfirm } from "./useConfirm";
import { useReport } from "./useReport";

type Props = {
  /** What is asked first. */
  title: string;
  hint: string;
  label?: string;
  remove: () => Promise<void>;
  /** What is said afterwards. */
  deleted: string;
  /** Where the list is of which it was one. */
  listPath: string;
  listKey: QueryKey;
  ownKey: QueryKey;
};

/** Deletes what a page is about, once somebody has said yes, and goes back to the list. */
export function DeleteButton({ title, hint, label, remove, deleted, listPath, listKey, ownKey }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const report = useReport();
  const confirm = useConfirm();
  const act = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      report.done(deleted);
      await navigate(listPath);
      client.removeQueries({ queryKey: ownKey });
      await client.invalidateQueries({ queryKey: listKey });
    },
    onError: report.failed,
  });
  return (
    <Button
      danger
      icon={<DeleteOutlined />}
      aria-label={label}
      onClick={() => confirm({ title, hint, ok: t("common.delete"), act: () => act.mutateAsync() })}
    >
      {t("common.delete")}
    </Button>
  );
}
