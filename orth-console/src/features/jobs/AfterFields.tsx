import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Form, Input, Select } from "antd";
import { useTranslation } from "react-i18next";
import { passes } from "../../api/afterRun";
import { RetryItems } from "../../ui/RetryItems";
import { JobFilter } from "../runs/JobFilter";

/** What follows a run: tries after a failure, other jobs after a success. */
export function AfterFields() {
  const { t } = useTranslation();
  return (
    <>
      <RetryItems hint={t("after.maxAttemptsHint")} />
      <ChildrenList />
    </>
  );
}

function ChildrenList() {
  const { t } = useTranslation();
  return (
    <Form.Item label={t("after.children")} extra={t("after.childrenHint")}>
      <Form.List name="children">
        {(rows, { add, remove }) => (
          <>
            {rows.map(({ key, name }) => (
              <ChildRow key={key} index={name} onRemove={() => remove(name)} />
            ))}
            <Button icon={<PlusOutlined />} size="small" onClick={() => add({ pass: "NONE" })}>
              {t("after.addChild")}
            </Button>
          </>
        )}
      </Form.List>
    </Form.Item>
  );
}

function ChildRow({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { t } = useTranslation();
  const pass = Form.useWatch<string | undefined>(["children", index, "pass"]);
  return (
    <div className="child-row">
      <Form.Item name={[index, "jobId"]} rules={[{ required: true, message: t("common.required") }]} noStyle>
        <JobPicker />
      </Form.Item>
      <Form.Item name={[index, "pass"]} noStyle>
        <Select
          aria-label={t("after.pass")}
          popupMatchSelectWidth={false}
          options={passes.map((each) => ({ value: each, label: t(`after.passName.${each}`) }))}
        />
      </Form.Item>
      {pass === "FIXED" ? (
        <Form.Item name={[index, "param"]} noStyle>
          <Input className="mono" aria-label={t("jobForm.param")} placeholder={t("jobForm.param")} />
        </Form.Item>
      ) : null}
      <Button type="text" icon={<DeleteOutlined />} aria-label={t("after.removeChild")} onClick={onRemove} />
    </div>
  );
}

/** The form gives it its value. */
function JobPicker({ value, onChange }: { value?: string; onChange?: (jobId: string | undefined) => void }) {
  return <JobFilter value={value} onChange={(jobId) => onChange?.(jobId)} />;
}
