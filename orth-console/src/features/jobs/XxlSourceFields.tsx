import { Form, Input, InputNumber, Select, Switch } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { XxlJobSource } from "../../api/xxlImports";
import { allZones, viewerZone } from "../../lib/time";

export type SourceFields = {
  url?: string;
  host?: string;
  port?: number;
  database?: string;
  user: string;
  password?: string;
  tls: boolean;
  zone: string;
};

export const newSource = (): Partial<SourceFields> => ({ port: 3306, database: "xxl_job", tls: false, zone: viewerZone() });

/** The server's names of the fields. */
export const sourceFieldNames: Record<string, string> = Object.fromEntries(
  ["url", "host", "port", "database", "user", "password", "tls", "zone"].map((field) => [field, field]),
);

const hasUrl = (url: string | undefined): url is string => url !== undefined && url.trim() !== "";

export function sourceOf(fields: SourceFields): XxlJobSource {
  const { url, host, port, database, user, password = "", tls, zone } = fields;
  const place = hasUrl(url)
    ? { url: url.trim() }
    : { host: host?.trim() ?? "", database: database?.trim() ?? "", ...(port === undefined ? {} : { port }) };
  return { ...place, user, password, tls, zone };
}

/** Where the database is, and who reads it. */
export function XxlSourceFields() {
  const { t } = useTranslation();
  const byUrl = hasUrl(Form.useWatch<string | undefined>("url"));
  const zones = useMemo(() => allZones().map((zone) => ({ value: zone, label: zone })), []);
  const required = { required: true, whitespace: true, message: t("common.required") };
  return (
    <fieldset>
      <legend>{t("xxlImport.database")}</legend>
      <Form.Item name="url" label={t("xxlImport.url")} extra={t("xxlImport.urlHint")}>
        <Input autoComplete="off" spellCheck={false} placeholder="jdbc:mysql://db.example:3306/xxl_job" />
      </Form.Item>
      {byUrl ? null : (
        <div className="form-row">
          <Form.Item name="host" label={t("xxlImport.host")} rules={[required]}>
            <Input autoComplete="off" spellCheck={false} />
          </Form.Item>
          <Form.Item name="port" label={t("xxlImport.port")} rules={[{ required: true, message: t("common.required") }]}>
            <InputNumber min={1} max={65_535} precision={0} />
          </Form.Item>
          <Form.Item name="database" label={t("xxlImport.name")} rules={[required]}>
            <Input autoComplete="off" spellCheck={false} />
          </Form.Item>
        </div>
      )}
      <div className="form-row">
        <Form.Item name="user" label={t("xxlImport.user")} rules={[required]}>
          <Input autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Form.Item name="password" label={t("xxlImport.password")} extra={t("xxlImport.passwordHint")}>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
      </div>
      <Form.Item name="tls" label={t("xxlImport.tls")} extra={t("xxlImport.tlsHint")} valuePropName="checked" layout="horizontal" colon={false}>
        <Switch size="small" />
      </Form.Item>
      <Form.Item name="zone" label={t("xxlImport.zone")} extra={t("xxlImport.zoneHint")}>
        <Select showSearch options={zones} />
      </Form.Item>
    </fieldset>
  );
}
