import { Form, Select } from "antd";
import { useTranslation } from "react-i18next";
import { type Role, roles } from "../../api/session";

/** Chooses a role, none above the given one, and says what it may do. */
export function RoleItem({ upTo = "ADMIN" }: { upTo?: Role }) {
  const { t } = useTranslation();
  const role = Form.useWatch<Role | undefined>("role");
  return (
    <Form.Item name="role" label={t("common.role")} extra={role === undefined ? null : t(`roleHint.${role}`)}>
      <Select options={roles.slice(0, roles.indexOf(upTo) + 1).map((each) => ({ value: each, label: t(`role.${each}`) }))} />
    </Form.Item>
  );
}
