import { useQuery } from "@tanstack/react-query";
import { Tabs } from "antd";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { isOver, type Message, messageKeys, type MessageStatus, readMessage } from "../../api/messages";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useMay } from "../auth/session";
import { StateTimeline } from "../events/StateTimeline";
import { FailedAttempts } from "./FailedAttempts";
import { LogOfAttempts } from "./LogOfAttempts";
import { MessageActions } from "./MessageActions";
import { MessageFacts } from "./MessageFacts";
import { MessageStatusTag } from "./messageLook";
import { queuePath } from "./paths";
import { TextPanel } from "./TextPanel";
import { timelineOf } from "./timelineOf";

/** One that was given up may be retried by somebody else, but seldom is. */
const pollOf: Record<MessageStatus, number | false> = {
  WAITING: 1000,
  RUNNING: 1000,
  DONE: false,
  DEAD: pollMillis.lists,
  DISCARDED: false,
};

export default function MessagePage() {
  const { name = "", id = "" } = useParams();
  const { t } = useTranslation();
  const operates = useMay("operate");
  const query = useQuery({
    queryKey: messageKeys.one(name, id),
    queryFn: ({ signal }) => readMessage(name, id, signal),
    refetchInterval: ({ state }) => (state.data === undefined ? pollMillis.lists : pollOf[state.data.status]),
  });
  const message = query.data;
  const title = t("messages.title", { id });
  if (message === undefined) {
    return <PageState title={title} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={title}
        before={<Link to={queuePath(name)}>{name}</Link>}
        after={<MessageStatusTag status={message.status} />}
        actions={operates ? <MessageActions message={message} /> : undefined}
      />
      <MessageFacts message={message} />
      <MessageTabs message={message} />
    </>
  );
}

function MessageTabs({ message }: { message: Message }) {
  const { t } = useTranslation();
  const url = useUrlFilter(["tab", "log"] as const);
  return (
    <Tabs
      activeKey={url.values.tab ?? "content"}
      onChange={(tab) => url.set({ tab: tab === "content" ? undefined : tab, log: undefined })}
      destroyOnHidden
      items={[
        { key: "content", label: t("messages.tabs.content"), children: <Content message={message} /> },
        {
          key: "attempts",
          label: `${t("messages.tabs.attempts")} ${message.failures.length}`,
          children: <FailedAttempts message={message} />,
        },
        { key: "log", label: t("run.tabs.log"), children: <LogOfAttempts message={message} /> },
        { key: "timeline", label: t("run.tabs.timeline"), children: <MessageTimeline message={message} /> },
      ]}
    />
  );
}

/** Why it was given up comes first: it is what one looks for. */
function Content({ message }: { message: Message }) {
  const { t } = useTranslation();
  const error = [message.error, message.stack].filter((text) => text !== null).join("\n");
  return (
    <>
      {error === "" ? null : <TextPanel name={t("messages.error")} text={error} />}
      {message.result === null || message.result === "" ? null : <TextPanel name={t("messages.result")} text={message.result} />}
      <TextPanel name={t("messages.payload")} text={message.payload} empty={t("messages.noPayload")} />
    </>
  );
}

function MessageTimeline({ message }: { message: Message }) {
  const { queryKey, queryFn } = timelineOf(message);
  return (
    <StateTimeline
      kind="MESSAGE"
      queryKey={queryKey}
      list={queryFn}
      isEnd={(state) => isOver(state as MessageStatus)}
      poll={isOver(message.status) ? false : pollMillis.runs}
    />
  );
}
