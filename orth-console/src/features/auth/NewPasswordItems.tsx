import { Form, Input } from "antd";
import { useTranslation } from "react-i18next";

/** A new password, twice. */
export function NewPasswordItems({ passwordName }: { passwordName: string }) {
  const { t } = useTranslation();
  const required = { required: true, message: t("common.required") };
  return (
    <>
      <Form.Item name={passwordName} label={t("auth.next")} rules={[required]}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="repeat"
        label={t("auth.repeat")}
        dependencies={[passwordName]}
        rules={[
          required,
          ({ getFieldValue }) => ({
            validator: (_, value: string) =>
              value === undefined || value === "" || value === getFieldValue(passwordName)
                ? Promise.resolve()
                : Promise.reject(new Error(t("auth.repeatWrong"))),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </>
  );
}
