import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { pipelineKeys, putPipelineText, readPipeline, readPipelineText } from "../../api/pipelines";
import { hasStatus, Problem } from "../../api/problem";
import { ConflictAlert } from "../../ui/ConflictAlert";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useLeaveGuard } from "../../ui/useLeaveGuard";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { DefinitionForm } from "./DefinitionForm";
import { withoutVersion, withVersion } from "./definitionText";
import { pipelinePath } from "./paths";

/** What the text may replace. */
type Over = "what was read" | "whatever is there";

type Base = { version: number; text: string };

/** The version first: should somebody change it between the two, saving says so. */
async function readBase(name: string, signal: AbortSignal): Promise<Base> {
  const { version } = await readPipeline(name, signal);
  return { version, text: withoutVersion(await readPipelineText(name, signal)) };
}

export default function EditPipelinePage() {
  const { t } = useTranslation();
  const { name = "" } = useParams();
  const administers = useMay("administer");
  // Read once: what the text started from must not change under the one who edits.
  const base = useQuery({
    queryKey: [...pipelineKeys.one(name), "edit"],
    queryFn: ({ signal }) => readBase(name, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    enabled: administers,
  });
  if (!administers) {
    return <PageState title={t("common.edit")} error={new Problem(403, {})} />;
  }
  if (base.data === undefined) {
    return <PageState title={t("common.edit")} error={base.error} onRetry={() => void base.refetch()} />;
  }
  return <Editor key={base.data.version} name={name} base={base.data} reload={() => void base.refetch()} />;
}

function Editor({ name, base, reload }: { name: string; base: Base; reload: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const report = useReport();
  const [text, setText] = useState(base.text);
  const guard = useLeaveGuard(() => text !== base.text);
  const save = useMutation({
    mutationFn: async (over: Over) => {
      const version = over === "what was read" ? base.version : (await readPipeline(name)).version;
      return putPipelineText(name, withVersion(text, version));
    },
    onSuccess: async (saved) => {
      client.setQueryData(pipelineKeys.one(name), saved);
      report.done(t("pipelineForm.saved", { name, version: saved.version }));
      void client.invalidateQueries({ queryKey: pipelineKeys.all });
      guard.release();
      await navigate(pipelinePath(name));
    },
  });
  const conflict = hasStatus(save.error, 412);
  return (
    <>
      <PageHeader title={t("pipelineForm.editTitle", { name })} />
      <DefinitionForm
        value={text}
        onChange={setText}
        error={conflict ? null : save.error}
        busy={save.isPending}
        okText={t("common.save")}
        onSubmit={() => save.mutate("what was read")}
        onCancel={() => void navigate(pipelinePath(name))}
        notice={
          conflict ? (
            <ConflictAlert
              description={t("pipelineForm.conflict")}
              busy={save.isPending}
              onKeepMine={() => save.mutate("whatever is there")}
              onLoadTheirs={reload}
            />
          ) : null
        }
      >
        <p className="muted">{t("pipelineForm.editHint", { version: base.version + 1 })}</p>
      </DefinitionForm>
    </>
  );
}
