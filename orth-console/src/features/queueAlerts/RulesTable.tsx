import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, Space, Switch, type TableColumnsType, Tag } from "antd";
import { useTranslation } from "react-i18next";
import { type AlertRule, deleteRule, listRules, queueAlertKeys, updateRule } from "../../api/queueAlerts";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";
import { draftOf, fieldsOf } from "./ruleFields";
import { useRuleWords } from "./useRuleWords";

/** What is watched for. Without `onEdit` nothing can be changed. */
export function RulesTable({ onEdit }: { onEdit: ((rule: AlertRule) => void) | null }) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const rules = useQuery({ queryKey: queueAlertKeys.rules, queryFn: ({ signal }) => listRules(signal) });
  const columns: TableColumnsType<AlertRule> = [
    { key: "name", title: t("queueAlerts.name"), render: (_, rule) => <span className="strong">{rule.name}</span> },
    { key: "queue", title: t("queueAlerts.queue"), render: (_, { queue }) => queue ?? t("queueAlerts.allQueues") },
    { key: "condition", title: t("queueAlerts.condition"), render: (_, rule) => words.condition(rule) },
    { key: "for", title: t("queueAlerts.for"), render: (_, rule) => words.hold(rule) },
    { key: "coolDown", title: t("queueAlerts.coolDown"), render: (_, { coolDownSeconds }) => words.time(coolDownSeconds) },
    onEdit === null
      ? { key: "enabled", title: t("queueAlerts.enabled"), render: (_, { enabled }) => (enabled ? t("queueAlerts.on") : <Tag>{t("queueAlerts.off")}</Tag>) }
      : { key: "enabled", title: t("queueAlerts.enabled"), render: (_, rule) => <EnabledSwitch rule={rule} /> },
  ];
  if (onEdit !== null) {
    columns.push({
      key: "actions",
      title: <span className="off-screen">{t("common.actions")}</span>,
      align: "right",
      render: (_, rule) => <RuleActions rule={rule} onEdit={() => onEdit(rule)} />,
    });
  }
  return (
    <>
      <div className="section-header">
        <h2>{t("queueAlerts.rulesTitle")}</h2>
      </div>
      <DataTable
        label={t("queueAlerts.rulesTitle")}
        columns={columns}
        rowKey={(rule) => rule.id}
        rows={rules.data}
        error={rules.error}
        onRetry={() => void rules.refetch()}
        empty={<EmptyList filtered={false} title={t("queueAlerts.noRules")} hint={t("queueAlerts.noRulesHint")} />}
      />
    </>
  );
}

function EnabledSwitch({ rule }: { rule: AlertRule }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const change = useMutation({
    mutationFn: (enabled: boolean) => updateRule(rule.id, draftOf({ ...fieldsOf(rule), enabled }, rule.version)),
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: queueAlertKeys.all }),
  });
  return (
    <Switch
      size="small"
      checked={rule.enabled}
      loading={change.isPending}
      aria-label={t("queueAlerts.enabledNamed", { name: rule.name })}
      onChange={(enabled) => change.mutate(enabled)}
    />
  );
}

function RuleActions({ rule, onEdit }: { rule: AlertRule; onEdit: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const confirm = useConfirm();
  const { name } = rule;
  const drop = useMutation({
    mutationFn: () => deleteRule(rule.id),
    onSuccess: () => {
      report.done(t("queueAlerts.deleted", { name }));
      return client.invalidateQueries({ queryKey: queueAlertKeys.all });
    },
    onError: report.failed,
  });
  const ask = (): void =>
    confirm({
      title: t("queueAlerts.deleteTitle", { name }),
      hint: t("queueAlerts.deleteHint"),
      ok: t("common.delete"),
      act: () => drop.mutateAsync(),
    });
  return (
    <Space size={0}>
      <Button type="text" size="small" aria-label={t("queueAlerts.editTitle", { name })} onClick={onEdit}>
        {t("common.edit")}
      </Button>
      <Button type="text" size="small" danger aria-label={t("queueAlerts.deleteNamed", { name })} onClick={ask}>
        {t("common.delete")}
      </Button>
    </Space>
  );
}
