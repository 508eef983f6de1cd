import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Message, messageKeys } from "../../api/messages";
import { type ConcernedExecutor, listMessageTransitions, type Transition } from "../../api/transitions";

type TimelineQuery = { queryKey: readonly unknown[]; queryFn: (signal: AbortSignal) => Promise<Transition[]> };

/** Asked again when the message has moved. */
export const timelineOf = ({ queue, id, statusAt }: Message): TimelineQuery => ({
  queryKey: [...messageKeys.one(queue, id), "transitions", statusAt.getTime()],
  queryFn: (signal) => listMessageTransitions(queue, id, signal),
});

/** A message knows its executors by number only; its timeline knows the rest. */
export function useExecutorOf(message: Message): (executorId: string | null) => ConcernedExecutor | null {
  const { queryKey, queryFn } = timelineOf(message);
  const timeline = useQuery({ queryKey, queryFn: ({ signal }) => queryFn(signal), placeholderData: keepPreviousData }).data;
  return (executorId) => timeline?.find(({ executor }) => executor !== null && executor.id === executorId)?.executor ?? null;
}
