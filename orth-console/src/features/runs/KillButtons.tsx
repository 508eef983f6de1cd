import { StopOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { App, Button, Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { jobKeys } from "../../api/jobs";
import { type Killed, killJob, killRun, killRuns, mostKills, problemsOf } from "../../api/kills";
import { type Run, runKeys } from "../../api/runs";
import { FormDialog } from "../../ui/FormDialog";
import { useReport } from "../../ui/useReport";

/** Ends one run. It can be asked for again: whoever asked first stays the one who did. */
export function KillRunButton({ run }: { run: Run }) {
  const { t } = useTranslation();
  return <KillButton word={t("kill.run")} title={t("kill.runTitle", { id: run.id })} kill={(reason) => killRun(run.id, reason)} />;
}

/** Ends all runs of a job that are not over. */
export function KillJobButton({ job }: { job: { id: string; name: string } }) {
  const { t } = useTranslation();
  return (
    <KillButton
      small
      word={t("kill.job")}
      title={t("kill.jobTitle", { name: job.name })}
      kill={(reason) => killJob(job.id, reason)}
    />
  );
}

/** Ends the runs that are selected in a list; nothing where none is. */
export function KillSelected({ runs, onDone }: { runs: Run[]; onDone: () => void }) {
  const { t } = useTranslation();
  if (runs.length === 0) {
    return null;
  }
  const ids = runs.slice(0, mostKills).map((run) => run.id);
  const count = ids.length;
  return (
    <div className="selection-bar">
      <KillButton
        small
        word={t("kill.selected", { count })}
        title={t("kill.selectedTitle", { count })}
        kill={async (reason) => {
          const killed = await killRuns(ids, reason);
          onDone();
          return killed;
        }}
      />
    </div>
  );
}

type Props = { word: string; title: string; small?: boolean; kill: (reason: string) => Promise<Killed> };

function KillButton({ word, title, small = false, kill }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const say = useSayKilled();
  const [open, setOpen] = useState(false);
  const run = useMutation({
    mutationFn: kill,
    onSuccess: say,
    onSettled: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: runKeys.all }),
        client.invalidateQueries({ queryKey: jobKeys.all }),
      ]);
    },
  });
  return (
    <>
      <Button danger size={small ? "small" : "middle"} icon={<StopOutlined />} onClick={() => setOpen(true)}>
        {word}
      </Button>
      <FormDialog<{ reason: string }>
        open={open}
        title={title}
        okText={t("kill.run")}
        danger
        initial={{ reason: "" }}
        fields={["reason"]}
        busy={run.isPending}
        onSubmit={({ reason }) => run.mutateAsync(reason ?? "")}
        onClose={() => setOpen(false)}
      >
        <p>{t("kill.hint")}</p>
        <Form.Item name="reason" label={t("kill.reason")} extra={t("kill.reasonHint")}>
          <Input autoFocus maxLength={500} autoComplete="off" />
        </Form.Item>
      </FormDialog>
    </>
  );
}

/** Says how many are over; what an executor could not be told stays until it is read. */
function useSayKilled(): (killed: Killed) => void {
  const { t } = useTranslation();
  const report = useReport();
  const { notification } = App.useApp();
  return (killed) => {
    report.done(t("kill.done", { ended: killed.ended, ending: killed.ending, over: killed.over }));
    const problems = [...problemsOf(killed), ...(killed.more ? [t("kill.more")] : [])];
    if (problems.length > 0) {
      notification.warning({ title: t("kill.problem"), description: problems.slice(0, 5).join("\n"), duration: 0, role: "alert" });
    }
  };
}
