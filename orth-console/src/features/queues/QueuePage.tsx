import { useQuery } from "@tanstack/react-query";
import { Tabs } from "antd";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { type MessageStatus, messageStatuses } from "../../api/messages";
import { type Queue, queueKeys, readQueue } from "../../api/queues";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useMay } from "../auth/session";
import { MessagesTable } from "./MessagesTable";
import { QueueActions } from "./QueueActions";
import { PausedTag } from "./queueColumns";
import { QueueFacts } from "./QueueFacts";
import { Throughput } from "./Throughput";

export default function QueuePage() {
  const { name = "" } = useParams();
  const operates = useMay("operate");
  const query = useQuery({
    queryKey: queueKeys.one(name),
    queryFn: ({ signal }) => readQueue(name, signal),
    refetchInterval: pollMillis.runs,
  });
  const queue = query.data;
  if (queue === undefined) {
    return <PageState title={name} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={queue.name}
        after={<PausedTag queue={queue} />}
        actions={operates ? <QueueActions queue={queue} words /> : undefined}
      />
      <QueueFacts queue={queue} />
      <Throughput queue={queue.name} />
      <MessageTabs queue={queue} />
    </>
  );
}

/** How many there are is known only of those that are not over. */
const countOf: Record<MessageStatus, (queue: Queue) => number | null> = {
  WAITING: (queue) => queue.waiting,
  RUNNING: (queue) => queue.running,
  DONE: () => null,
  DEAD: (queue) => queue.dead,
  DISCARDED: () => null,
};

function MessageTabs({ queue }: { queue: Queue }) {
  const { t } = useTranslation();
  const url = useUrlFilter(["status"] as const);
  const shown = messageStatuses.find((status) => status === url.values.status) ?? "WAITING";
  return (
    <Tabs
      activeKey={shown}
      onChange={(status) => url.set({ status: status === "WAITING" ? undefined : status })}
      destroyOnHidden
      items={messageStatuses.map((status) => ({
        key: status,
        label: <TabLabel text={t(`messageStatus.${status}`)} count={countOf[status](queue)} />,
        children: <MessagesTable queue={queue} status={status} />,
      }))}
    />
  );
}

function TabLabel({ text, count }: { text: string; count: number | null }) {
  const { i18n } = useTranslation();
  return (
    <>
      {text}
      {count === null ? null : <span className="muted tabular"> {new Intl.NumberFormat(i18n.language).format(count)}</span>}
    </>
  );
}
