import { PlusOutlined } from "@ant-design/icons";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Button, type TableColumnsType, Tag } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type Alarm, alarmColors, alarmKeys, type Channel, listAlarms, listChannels } from "../../api/alarms";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { ChannelActions } from "./ChannelActions";
import { ChannelDialog } from "./ChannelDialog";

/** Who is told of failed runs, and what they were told. */
export default function AlarmsPage() {
  const { t } = useTranslation();
  const administers = useMay("administer");
  const [editing, setEditing] = useState<Channel | "new" | null>(null);
  const channels = useQuery({ queryKey: alarmKeys.channels, queryFn: ({ signal }) => listChannels(signal) });
  const columns = useChannelColumns(administers ? setEditing : null);
  return (
    <>
      <PageHeader
        title={t("alarms.title")}
        actions={
          administers ? (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing("new")}>
              {t("alarms.new")}
            </Button>
          ) : undefined
        }
      />
      <DataTable
        label={t("alarms.title")}
        columns={columns}
        rowKey={(channel) => channel.id}
        rows={channels.data}
        error={channels.error}
        onRetry={() => void channels.refetch()}
        empty={<EmptyList filtered={false} title={t("alarms.empty")} hint={t("alarms.emptyHint")} />}
      />
      <Sent />
      {editing === null ? null : <ChannelDialog open channel={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
    </>
  );
}

function useChannelColumns(onEdit: ((channel: Channel) => void) | null): TableColumnsType<Channel> {
  const { t } = useTranslation();
  const watched = ({ watch }: Channel): string => {
    const parts = [
      ...(watch.groupIds.length === 0 ? [] : [t("alarms.groupCount", { count: watch.groupIds.length })]),
      ...(watch.jobIds.length === 0 ? [] : [t("alarms.jobCount", { count: watch.jobIds.length })]),
    ];
    const some = parts.length === 0 ? t("common.none") : parts.join(", ");
    return watch.everything ? t("alarms.everything") : some;
  };
  return [
    {
      key: "name",
      title: t("alarms.name"),
      render: (_, channel) => (
        <>
          <span className="strong">{channel.name}</span> {channel.enabled ? null : <Tag>{t("alarms.off")}</Tag>}
        </>
      ),
    },
    { key: "kind", title: t("alarms.kind"), render: (_, { kind }) => t(`alarms.kindName.${kind}`) },
    { key: "target", title: t("alarms.target"), render: (_, { target }) => <span className="mono clip">{target}</span> },
    { key: "watch", title: t("alarms.about"), render: (_, channel) => watched(channel) },
    {
      key: "when",
      title: t("alarms.when"),
      render: (_, { everyFailure }) => t(everyFailure ? "alarms.everyFailure" : "alarms.lastFailure"),
    },
    ...(onEdit === null
      ? []
      : [
          {
            key: "actions",
            title: <span className="off-screen">{t("common.actions")}</span>,
            align: "right" as const,
            render: (_: unknown, channel: Channel) => <ChannelActions channel={channel} onEdit={() => onEdit(channel)} />,
          },
        ]),
  ];
}

function Sent() {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: alarmKeys.list,
    queryFn: ({ pageParam, signal }) => listAlarms(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: pollMillis.lists,
  });
  const columns: TableColumnsType<Alarm> = [
    { key: "at", title: t("alarms.at"), render: (_, alarm) => <Instant at={alarm.endedAt ?? alarm.sendAt} /> },
    { key: "channel", title: t("alarms.channel"), render: (_, { channelName }) => channelName },
    { key: "status", title: t("alarms.status"), render: (_, { status }) => <Tag color={alarmColors[status]}>{t(`alarms.statusName.${status}`)}</Tag> },
    {
      key: "runs",
      title: t("alarms.about"),
      render: (_, alarm) => <Subject alarm={alarm} />,
    },
    { key: "tries", title: t("alarms.tries"), align: "right", render: (_, { tries }) => tries },
    { key: "error", title: t("alarms.error"), render: (_, { error }) => <span className="clip">{error ?? t("common.none")}</span> },
  ];
  return (
    <>
      <div className="section-header">
        <h2>{t("alarms.sentTitle")}</h2>
      </div>
      <DataTable
        label={t("alarms.sentTitle")}
        columns={columns}
        rowKey={(alarm) => alarm.id}
        rows={query.data?.pages.flatMap((page) => page.items)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyList filtered={false} title={t("alarms.noneSent")} />}
        more={{ has: query.hasNextPage, loading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }}
      />
    </>
  );
}

/** Failed runs of jobs and of pipelines, or alerts on queues. */
export function Subject({ alarm }: { alarm: Pick<Alarm, "runs" | "firstRun" | "notices" | "pipelineRunCount" | "samplePipelineRunId"> }) {
  const { t } = useTranslation();
  const { runs, firstRun, notices, pipelineRunCount, samplePipelineRunId } = alarm;
  if (notices > 0) {
    return <Link to="/queue-alerts">{t("alarms.noticeCount", { count: notices })}</Link>;
  }
  if (samplePipelineRunId === null) {
    return firstRun === null ? runs : <Link to={`/runs/${firstRun}`}>{t("alarms.runCount", { count: runs })}</Link>;
  }
  return (
    <>
      {firstRun === null ? null : (
        <>
          <Link to={`/runs/${firstRun}`}>{t("alarms.runCount", { count: runs })}</Link>,{" "}
        </>
      )}
      <Link to={`/pipeline-runs/${samplePipelineRunId}`}>{t("alarms.pipelineRunCount", { count: pipelineRunCount })}</Link>
    </>
  );
}
