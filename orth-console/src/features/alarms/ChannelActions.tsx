import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Space } from "antd";
import { useTranslation } from "react-i18next";
import { alarmKeys, type Channel, deleteChannel, testChannel } from "../../api/alarms";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";

/** What can be done with a channel. */
export function ChannelActions({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const confirm = useConfirm();
  const { name } = channel;
  const test = useMutation({
    mutationFn: () => testChannel(channel.id),
    onSuccess: (problem) => (problem === null ? report.done(t("alarms.tested", { name })) : report.failed(new Error(problem))),
    onError: report.failed,
  });
  const drop = useMutation({
    mutationFn: () => deleteChannel(channel.id),
    onSuccess: () => {
      report.done(t("alarms.deleted", { name }));
      return client.invalidateQueries({ queryKey: alarmKeys.all });
    },
    onError: report.failed,
  });
  const ask = (): void =>
    confirm({
      title: t("alarms.deleteTitle", { name }),
      hint: t("alarms.deleteHint"),
      ok: t("common.delete"),
      act: () => drop.mutateAsync(),
    });
  return (
    <Space size={0}>
      <Button type="text" size="small" loading={test.isPending} aria-label={t("alarms.testNamed", { name })} onClick={() => test.mutate()}>
        {t("alarms.test")}
      </Button>
      <Button type="text" size="small" aria-label={t("alarms.editTitle", { name })} onClick={onEdit}>
        {t("common.edit")}
      </Button>
      <Button type="text" size="small" danger aria-label={t("alarms.deleteNamed", { name })} onClick={ask}>
        {t("common.delete")}
      </Button>
    </Space>
  );
}
