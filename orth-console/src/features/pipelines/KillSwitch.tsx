import { PauseOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import { pipelineRunKeys } from "../../api/pipelineRuns";
import { pipelineKeys, type Switch, turn } from "../../api/pipelines";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";

type Props = {
  of: Switch;
  paused: boolean;
  /** As an icon in a row. */
  small?: boolean;
  /** With words, in a notice. */
  compact?: boolean;
};

/** Pauses or resumes everything, a pipeline or a stage, after a question that says what that means. */
export function KillSwitch({ of, paused, small = false, compact = false }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const confirm = useConfirm();
  const name = useSwitchName(of);
  const act = useMutation({
    mutationFn: (pause: boolean) => turn(of, pause),
    onSuccess: (_, pause) => report.done(t(pause ? "pipelines.pausedDone" : "pipelines.resumedDone", { name })),
    onError: report.failed,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: pipelineKeys.all }),
        client.invalidateQueries({ queryKey: pipelineRunKeys.all }),
      ]),
  });
  const word = t(paused ? "pipelines.resume" : "pipelines.pause");
  const all = of.pipeline === null;
  const ask = (): void =>
    confirm({
      title: t(paused ? "pipelines.resumeTitle" : "pipelines.pauseTitle", { name }),
      hint: t(paused ? "pipelines.resumeHint" : "pipelines.pauseHint"),
      ok: word,
      danger: !paused,
      act: () => act.mutateAsync(!paused),
    });
  return (
    <Tooltip title={small ? word : null}>
      <Button
        type={small ? "text" : "default"}
        size={small || compact ? "small" : "middle"}
        icon={paused ? <PlayCircleOutlined /> : <PauseOutlined />}
        aria-label={t(paused ? "pipelines.resumeNamed" : "pipelines.pauseNamed", { name })}
        onClick={ask}
      >
        {small ? null : all ? t(paused ? "pipelines.resumeAll" : "pipelines.pauseAll") : word}
      </Button>
    </Tooltip>
  );
}

function useSwitchName({ pipeline, stage }: Switch): string {
  const { t } = useTranslation();
  if (pipeline === null) {
    return t("pipelines.everything");
  }
  return stage === null ? pipeline : t("pipelines.stageOf", { stage, pipeline });
}
