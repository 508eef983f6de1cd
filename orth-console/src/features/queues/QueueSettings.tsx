import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Form, InputNumber, Select } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { groupLabel } from "../../api/groups";
import { hasStatus } from "../../api/problem";
import { configureQueue, type Queue, queueKeys, readQueue } from "../../api/queues";
import { ConflictAlert } from "../../ui/ConflictAlert";
import { FormDialog } from "../../ui/FormDialog";
import { useGroups } from "../../ui/GroupFilter";
import { RetryItems } from "../../ui/RetryItems";
import { useReport } from "../../ui/useReport";
import { queueDraft, type QueueFields, queueFieldNames, queueFieldsOf } from "./queueFields";

const mostLimit = 1_000_000;

/** Who works on a queue, how often a message is tried and how fast it goes. */
export function QueueSettings({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  // What the form started from must not change under the one who edits.
  const [base, setBase] = useState(queue);
  const [conflict, setConflict] = useState(false);
  const save = useMutation({
    mutationFn: async (fields: QueueFields) => {
      const version = conflict ? (await readQueue(base.name)).version : base.version;
      return configureQueue(base.name, queueDraft(fields, version));
    },
    onSuccess: (saved) => {
      client.setQueryData(queueKeys.one(base.name), saved);
      report.done(t("queueForm.saved", { name: base.name }));
      return client.invalidateQueries({ queryKey: queueKeys.all });
    },
  });
  const load = useMutation({
    mutationFn: () => readQueue(base.name),
    onSuccess: (theirs) => {
      setBase(theirs);
      setConflict(false);
    },
    onError: report.failed,
  });
  const onFailed = (error: unknown): boolean => {
    const changed = hasStatus(error, 412);
    setConflict(changed);
    return changed;
  };
  return (
    <FormDialog<QueueFields>
      key={base.version}
      open
      title={t("queueForm.title", { name: base.name })}
      width={600}
      initial={queueFieldsOf(base)}
      fields={queueFieldNames}
      busy={save.isPending}
      blocked={conflict}
      onSubmit={save.mutateAsync}
      onFailed={onFailed}
      onClose={onClose}
    >
      <div className="dense-form">
        <OwnerItem />
        <RetryItems hint={t("queueForm.maxAttemptsHint")} />
        <LimitItems />
      </div>
      {conflict ? <Conflict busy={load.isPending || save.isPending} load={() => load.mutate()} /> : null}
    </FormDialog>
  );
}

function Conflict({ busy, load }: { busy: boolean; load: () => void }) {
  const { t } = useTranslation();
  const { submit } = Form.useFormInstance();
  return <ConflictAlert description={t("queueForm.conflict")} busy={busy} onKeepMine={submit} onLoadTheirs={load} />;
}

function OwnerItem() {
  const { t } = useTranslation();
  const groups = useGroups();
  const options = (groups.data ?? []).map((group) => ({ value: group.id, label: groupLabel(group) }));
  return (
    <Form.Item name="groupId" label={t("queueForm.group")} extra={t("queueForm.groupHint")}>
      <Select allowClear placeholder={t("queueForm.anyGroup")} showSearch={{ optionFilterProp: "label" }} options={options} />
    </Form.Item>
  );
}

function LimitItems() {
  const { t } = useTranslation();
  return (
    <>
      <div className="form-row">
        <Form.Item name="rateLimit" label={t("queueForm.rate")}>
          <InputNumber min={1} max={mostLimit} precision={0} placeholder={t("queueForm.noLimit")} />
        </Form.Item>
        <Form.Item name="concurrencyLimit" label={t("queueForm.concurrency")}>
          <InputNumber min={1} max={mostLimit} precision={0} placeholder={t("queueForm.noLimit")} />
        </Form.Item>
      </div>
      <p className="muted">{t("queueForm.limitsHint")}</p>
    </>
  );
}
