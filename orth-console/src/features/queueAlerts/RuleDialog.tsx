import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Form, Input, InputNumber, Select, Switch } from "antd";
import { useTranslation } from "react-i18next";
import { type AlertKind, alertKinds, type AlertRule, createRule, queueAlertKeys, updateRule } from "../../api/queueAlerts";
import { listQueues, queueKeys } from "../../api/queues";
import { FormDialog } from "../../ui/FormDialog";
import { useReport } from "../../ui/useReport";
import { draftOf, fieldsOf, newRule, type RuleFields, usual } from "./ruleFields";

type Props = { rule: AlertRule | null; onClose: () => void };

/** Makes a rule, or changes the one that is given. */
export function RuleDialog({ rule, onClose }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const save = useMutation({
    mutationFn: (fields: RuleFields) => (rule === null ? createRule(draftOf(fields)) : updateRule(rule.id, draftOf(fields, rule.version))),
    onSuccess: (_, { name }) => {
      report.done(t("queueAlerts.saved", { name }));
      return client.invalidateQueries({ queryKey: queueAlertKeys.all });
    },
  });
  return (
    <FormDialog<RuleFields>
      open
      title={rule === null ? t("queueAlerts.new") : t("queueAlerts.editTitle", { name: rule.name })}
      okText={rule === null ? t("common.create") : t("common.save")}
      initial={rule === null ? newRule : fieldsOf(rule)}
      fields={["name", "kind", "queue", "waiting", "oldestSeconds", "ratio", "minEnded", "overSeconds", "forSeconds", "coolDownSeconds"]}
      busy={save.isPending}
      onSubmit={save.mutateAsync}
      onClose={onClose}
    >
      <Form.Item name="name" label={t("queueAlerts.name")} rules={[{ required: true, whitespace: true, message: t("common.required") }]}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item name="queue" label={t("queueAlerts.queue")}>
        <QueueSelect />
      </Form.Item>
      <Form.Item name="kind" label={t("queueAlerts.kind")}>
        <Select options={alertKinds.map((each) => ({ value: each, label: t(`queueAlerts.kindName.${each}`) }))} />
      </Form.Item>
      <Condition />
      <Times />
      <Form.Item name="enabled" label={t("queueAlerts.enabled")} valuePropName="checked" layout="horizontal" colon={false}>
        <Switch size="small" />
      </Form.Item>
    </FormDialog>
  );
}

/** The form gives it its value; nothing chosen stands for all queues. */
function QueueSelect({ value, onChange, id }: { value?: string | null; onChange?: (queue: string | null) => void; id?: string }) {
  const { t } = useTranslation();
  const queues = useQuery({ queryKey: queueKeys.list(), queryFn: ({ signal }) => listQueues(undefined, signal) });
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      allowClear
      showSearch
      placeholder={t("queueAlerts.allQueues")}
      loading={queues.isFetching}
      value={value ?? null}
      onChange={(queue: string | null | undefined) => onChange?.(queue ?? null)}
      options={(queues.data?.items ?? []).map(({ name }) => ({ value: name, label: name }))}
    />
  );
}

const useKind = (): AlertKind => Form.useWatch<AlertKind | undefined>("kind") ?? "BACKLOG";

/** What each kind asks for. */
function Condition() {
  const { t } = useTranslation();
  const kind = useKind();
  if (kind === "NO_WORKERS") {
    return <p className="muted">{t("queueAlerts.nobodyHint")}</p>;
  }
  if (kind === "BACKLOG") {
    return (
      <>
        <Form.Item name="waiting" label={t("queueAlerts.waiting")} extra={t("queueAlerts.waitingHint")}>
          <InputNumber min={1} precision={0} />
        </Form.Item>
        <Form.Item name="oldestSeconds" label={t("queueAlerts.oldest")}>
          <InputNumber min={1} precision={0} />
        </Form.Item>
      </>
    );
  }
  return (
    <>
      <Form.Item name="ratio" label={t("queueAlerts.ratio")}>
        <InputNumber min={0.01} max={100} placeholder="50" suffix="%" />
      </Form.Item>
      <Form.Item name="minEnded" label={t("queueAlerts.minEnded")} extra={t("queueAlerts.minEndedHint")}>
        <InputNumber min={1} precision={0} placeholder="50" />
      </Form.Item>
      <Form.Item name="overSeconds" label={t("queueAlerts.over")}>
        <InputNumber min={60} precision={0} placeholder="300" />
      </Form.Item>
    </>
  );
}

function Times() {
  const { t } = useTranslation();
  const { forSeconds, coolDownSeconds } = usual[useKind()];
  return (
    <>
      <Form.Item name="forSeconds" label={t("queueAlerts.forSeconds")} extra={t("queueAlerts.forHint")}>
        <InputNumber min={0} max={86_400} precision={0} placeholder={String(forSeconds)} />
      </Form.Item>
      <Form.Item name="coolDownSeconds" label={t("queueAlerts.coolDownSeconds")} extra={t("queueAlerts.coolDownHint")}>
        <InputNumber min={60} max={604_800} precision={0} placeholder={String(coolDownSeconds)} />
      </Form.Item>
    </>
  );
}
