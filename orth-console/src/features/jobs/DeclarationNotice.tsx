import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Alert, Button, Popconfirm, Table } from "antd";
import { useTranslation } from "react-i18next";
import type { Difference } from "../../api/declarations";
import { type Job, jobKeys, takeDeclaration } from "../../api/jobs";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";

/** Where a job is not what code declares, what of it, and the way back. Nothing where it is, or where no code declares it. */
export function DeclarationNotice({ job }: { job: Job }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  if (job.declaration === null) {
    return null;
  }
  const { state, problem, differences } = job.declaration;
  switch (state) {
    case "FOLLOWED":
      return null;
    case "REFUSED":
      return (
        <Alert
          type="error"
          showIcon
          className="form-alert"
          title={t("declared.refused")}
          description={t("declared.refusedHint", { problem: problem ?? "" })}
        />
      );
    case "WITHDRAWN":
      return (
        <Alert type="info" showIcon className="form-alert" title={t("declared.withdrawn")} description={t("declared.withdrawnHint")} />
      );
    case "DIFFERS":
      return (
        <Alert
          type="warning"
          showIcon
          className="form-alert"
          title={t("declared.differs", { fields: differences.map((each) => each.field).join(", ") })}
          description={
            <>
              <p>{t("declared.differsHint")}</p>
              <Differences of={differences} />
            </>
          }
          action={operates ? <TakeButton job={job} /> : undefined}
        />
      );
  }
}

function Differences({ of }: { of: Difference[] }) {
  const { t } = useTranslation();
  const value = (text: string | null) => (text === null || text === "" ? t("common.none") : <code className="param">{text}</code>);
  return (
    <Table<Difference>
      size="small"
      pagination={false}
      rowKey="field"
      dataSource={of}
      columns={[
        { key: "field", title: t("declared.field"), render: (_, each) => each.field },
        { key: "declared", title: t("declared.inCode"), render: (_, each) => value(each.declared) },
        { key: "actual", title: t("declared.here"), render: (_, each) => value(each.actual) },
      ]}
    />
  );
}

function TakeButton({ job }: { job: Job }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const take = useMutation({
    mutationFn: () => takeDeclaration(job.id),
    onSuccess: (changed) => {
      client.setQueryData(jobKeys.one(job.id), changed);
      report.done(t("declared.taken", { name: changed.name }));
    },
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: jobKeys.all }),
  });
  return (
    <Popconfirm title={t("declared.takeSure")} onConfirm={() => take.mutate()} okText={t("declared.take")} cancelText={t("common.cancel")}>
      <Button loading={take.isPending}>{t("declared.take")}</Button>
    </Popconfirm>
  );
}
