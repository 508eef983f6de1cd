import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { readAttemptLog, taskKeys } from "../../../api/pipelineTasks";
import { stripAnsi } from "../../../lib/ansi";
import { pollMillis } from "../../../lib/queryClient";
import { ProblemText } from "../../../ui/ErrorPanel";
import { TextPanel } from "../../queues/TextPanel";

type Props = { taskId: string; of: { queue: string; messageId: string; logId: string } };

/** What its handler wrote in the last attempt, as far as it fits here. */
export function AttemptLog({ taskId, of }: Props) {
  const { t } = useTranslation();
  const log = useQuery({
    queryKey: taskKeys.log(taskId, of.logId),
    queryFn: ({ signal }) => readAttemptLog(of, signal),
    refetchInterval: ({ state }) => (state.data?.end === false && state.data.to >= state.data.size ? pollMillis.runs : false),
  });
  const name = t("pipelineTasks.log", { logId: of.logId });
  if (log.data === undefined) {
    return log.error === null ? null : (
      <section className="page-part" aria-label={name}>
        <h2>{name}</h2>
        <p className="muted">
          <ProblemText error={log.error} />
        </p>
      </section>
    );
  }
  const { text, to, size, exists } = log.data;
  return (
    <>
      <TextPanel name={name} text={stripAnsi(text)} empty={t(exists ? "log.empty" : "pipelineTasks.noLog")} />
      {size > to ? <p className="muted">{t("pipelineTasks.moreLog", { count: size - to })}</p> : null}
    </>
  );
}
