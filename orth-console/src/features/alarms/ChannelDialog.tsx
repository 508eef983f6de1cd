import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Form, Input, InputNumber, Select, Switch } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { alarmKeys, canSign, type Channel, channelKinds, type ChannelKind, createChannel, updateChannel } from "../../api/alarms";
import { groupLabel } from "../../api/groups";
import { jobKeys, listJobs } from "../../api/jobs";
import { useDebounced } from "../../lib/useDebounced";
import { FormDialog } from "../../ui/FormDialog";
import { useGroups } from "../../ui/GroupFilter";
import { useReport } from "../../ui/useReport";
import { type ChannelFields, draftOf, fieldsOf, newChannel } from "./channelFields";

type Props = { open: boolean; channel: Channel | null; onClose: () => void };

/** Makes a channel, or changes the one that is given. */
export function ChannelDialog({ open, channel, onClose }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const save = useMutation({
    mutationFn: (fields: ChannelFields) =>
      channel === null ? createChannel(draftOf(fields)) : updateChannel(channel.id, draftOf(fields, channel.version)),
    onSuccess: (_, { name }) => {
      report.done(t("alarms.saved", { name }));
      return client.invalidateQueries({ queryKey: alarmKeys.all });
    },
  });
  return (
    <FormDialog<ChannelFields>
      open={open}
      title={channel === null ? t("alarms.new") : t("alarms.editTitle", { name: channel.name })}
      okText={channel === null ? t("common.create") : t("common.save")}
      initial={channel === null ? newChannel : fieldsOf(channel)}
      fields={["name", "kind", "target", "secret", "template", "windowSeconds"]}
      busy={save.isPending}
      onSubmit={save.mutateAsync}
      onClose={onClose}
    >
      <Whom channel={channel} />
      <What />
    </FormDialog>
  );
}

/** Who is told, and how. */
function Whom({ channel }: { channel: Channel | null }) {
  const { t } = useTranslation();
  const kind = Form.useWatch<ChannelKind | undefined>("kind") ?? channel?.kind ?? "MAIL";
  const keeps = channel !== null && channel.kind === kind;
  const masked = keeps && kind !== "MAIL";
  const required = { required: true, whitespace: true, message: t("common.required") };
  return (
    <>
      <Form.Item name="name" label={t("alarms.name")} rules={[required]}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item name="kind" label={t("alarms.kind")}>
        <Select options={channelKinds.map((each) => ({ value: each, label: t(`alarms.kindName.${each}`) }))} />
      </Form.Item>
      <Form.Item
        name="target"
        label={kind === "MAIL" ? t("alarms.recipients") : t("alarms.address")}
        extra={masked ? t("alarms.kept", { target: channel.target }) : t(kind === "MAIL" ? "alarms.recipientsHint" : "alarms.addressHint")}
        rules={masked ? [] : [required]}
      >
        <Input autoComplete="off" spellCheck={false} />
      </Form.Item>
      {canSign[kind] ? (
        <Form.Item name="secret" label={t("alarms.secret")} extra={keeps && channel.secret ? t("alarms.secretKept") : t("alarms.secretHint")}>
          <Input.Password autoComplete="new-password" maxLength={500} />
        </Form.Item>
      ) : null}
    </>
  );
}

/** What they are told of, and in which words. */
function What() {
  const { t } = useTranslation();
  const everything = Form.useWatch<boolean | undefined>("everything") ?? true;
  return (
    <>
      <Form.Item name="everything" label={t("alarms.about")}>
        <Select
          options={[
            { value: true, label: t("alarms.everything") },
            { value: false, label: t("alarms.some") },
          ]}
        />
      </Form.Item>
      {everything ? null : <Watched />}
      <Form.Item name="everyFailure" label={t("alarms.when")}>
        <Select
          options={[
            { value: false, label: t("alarms.lastFailure") },
            { value: true, label: t("alarms.everyFailure") },
          ]}
        />
      </Form.Item>
      <Form.Item name="windowSeconds" label={t("alarms.window")} extra={t("alarms.windowHint")}>
        <InputNumber min={0} max={86_400} precision={0} />
      </Form.Item>
      <Form.Item name="template" label={t("alarms.template")} extra={t("alarms.templateHint")}>
        <Input.TextArea className="mono" autoSize={{ minRows: 2, maxRows: 8 }} maxLength={4000} spellCheck={false} />
      </Form.Item>
      <Form.Item name="enabled" label={t("alarms.enabled")} valuePropName="checked" layout="horizontal" colon={false}>
        <Switch size="small" />
      </Form.Item>
    </>
  );
}

function Watched() {
  const { t } = useTranslation();
  const groups = useGroups();
  return (
    <>
      <Form.Item name="groupIds" label={t("alarms.groups")}>
        <Select
          mode="multiple"
          showSearch={{ optionFilterProp: "label" }}
          options={(groups.data ?? []).map((group) => ({ value: group.id, label: groupLabel(group) }))}
        />
      </Form.Item>
      <Form.Item name="jobIds" label={t("alarms.jobs")}>
        <JobsSelect />
      </Form.Item>
    </>
  );
}

/** The form gives it its value. Jobs are found on the server; those chosen before stay as their ids until they are found. */
function JobsSelect({ value, onChange }: { value?: string[]; onChange?: (jobIds: string[]) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const q = useDebounced(text, 250);
  const filter = q === "" ? {} : { q };
  const found = useQuery({
    queryKey: [...jobKeys.list(filter), "options"],
    queryFn: ({ signal }) => listJobs(filter, null, signal),
  });
  return (
    <Select
      mode="multiple"
      aria-label={t("alarms.jobs")}
      showSearch={{ filterOption: false, onSearch: setText }}
      loading={found.isFetching}
      value={value ?? []}
      onChange={(jobIds: string[]) => onChange?.(jobIds)}
      options={(found.data?.items ?? []).map((job) => ({ value: job.id, label: job.name }))}
    />
  );
}
