import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { deadKeys } from "../../api/deadLetters";
import { isFinished, moveOperation, operationKeys, type OperationMove, type OperationStatus, readOperation } from "../../api/operations";
import { pollMillis } from "../../lib/queryClient";
import { useReport } from "../../ui/useReport";

/** One that is paused may be resumed by somebody else, but seldom is. */
const pollOf = (status: OperationStatus | undefined): number | false => {
  if (status === undefined || status === "PAUSED") {
    return pollMillis.lists;
  }
  return isFinished(status) ? false : 1000;
};

/** Asked again until it is over. */
export const useOperation = (id: string) =>
  useQuery({
    queryKey: operationKeys.one(id),
    queryFn: ({ signal }) => readOperation(id, signal),
    refetchInterval: ({ state }) => pollOf(state.data?.status),
  });

export function useMoveOperation(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (move: OperationMove) => moveOperation(id, move),
    onSuccess: (_, move) => report.done(t(`operations.moved.${move}`, { id })),
    onError: report.failed,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: operationKeys.all }),
        client.invalidateQueries({ queryKey: deadKeys.all }),
      ]),
  });
}
