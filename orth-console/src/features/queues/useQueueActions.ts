import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { discardMessage, discardMessages, killMessage, type Message, messageKeys, retryMessage, retryMessages } from "../../api/messages";
import { type Queue, queueKeys, setPaused } from "../../api/queues";
import { useReport } from "../../ui/useReport";

export function useSetPaused(queue: Queue) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (paused: boolean) => setPaused(queue.name, paused),
    onSuccess: (changed) => {
      client.setQueryData(queueKeys.one(queue.name), changed);
      report.done(t(changed.paused ? "queues.pausedDone" : "queues.resumed", { name: queue.name }));
    },
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: queueKeys.all }),
  });
}

/** Retrying fails in its dialog, which says so itself. */
export function useRetryMessage({ queue, id }: Message) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (payload: string | null) => retryMessage(queue, id, payload),
    onSuccess: (message) => {
      client.setQueryData(messageKeys.one(queue, id), message);
      report.done(t("messages.retried", { id }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queueKeys.all }),
  });
}

/** Killing fails in its dialog, which says so itself. */
export function useKillMessage({ queue, id }: Message) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (reason: string) => killMessage(queue, id, reason),
    onSuccess: ({ outcome, detail }) => report.done(`${t(`messages.killed.${outcome}`, { id })} (${detail})`),
    onSettled: () => client.invalidateQueries({ queryKey: queueKeys.all }),
  });
}

export function useDiscardMessage({ queue, id }: Message) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: () => discardMessage(queue, id),
    onSuccess: (message) => {
      client.setQueryData(messageKeys.one(queue, id), message);
      report.done(t("messages.discarded", { id }));
    },
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: queueKeys.all }),
  });
}

/** What was retried or discarded by somebody else meanwhile does not count. */
export function useManyMessages(queue: string, act: "retry" | "discard") {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (ids: string[]) => (act === "retry" ? retryMessages(queue, ids) : discardMessages(queue, ids)),
    onSuccess: (count) => report.done(t(act === "retry" ? "messages.retriedMany" : "messages.discardedMany", { count })),
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: queueKeys.all }),
  });
}
