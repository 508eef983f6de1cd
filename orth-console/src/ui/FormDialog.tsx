import { Form, type FormInstance, Modal } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { showFieldErrors } from "./serverErrors";
import { useReport } from "./useReport";

type Props<F extends object> = {
  open: boolean;
  title: string;
  okText?: string;
  /** What it does cannot be taken back. */
  danger?: boolean;
  /** It cannot be submitted now. */
  blocked?: boolean;
  /** In pixels, where there is much to fill in. */
  width?: number;
  initial?: Partial<F>;
  /** The server's names of fields that the form has under the same name. */
  fields: readonly (keyof F & string)[];
  busy: boolean;
  /** Rejects with the server's problem; the dialog then shows it at the field, or in words. */
  onSubmit: (values: F) => Promise<unknown>;
  /** Whether the caller shows this failure itself. */
  onFailed?: (error: unknown) => boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A small form in a dialog that closes when the server has taken it. */
export function FormDialog<F extends object>(props: Props<F>) {
  const { open, title, okText, danger = false, blocked = false, width, initial, fields, busy, onSubmit, onFailed, onClose, children } = props;
  const { t } = useTranslation();
  const report = useReport();
  const [form] = Form.useForm() as [FormInstance<F>];
  const submit = async (values: F): Promise<void> => {
    try {
      await onSubmit(values);
      onClose();
    } catch (error) {
      if (onFailed?.(error) === true) {
        return;
      }
      if (!showFieldErrors(form as FormInstance, error, Object.fromEntries(fields.map((field) => [field, field])))) {
        report.failed(error);
      }
    }
  };
  return (
    <Modal
      open={open}
      title={title}
      okText={okText ?? t("common.save")}
      cancelText={t("common.cancel")}
      confirmLoading={busy}
      okButtonProps={{ danger, disabled: blocked }}
      {...(width === undefined ? {} : { width })}
      onOk={form.submit}
      onCancel={onClose}
      destroyOnHidden
    >
      <Form
        form={form as FormInstance}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        initialValues={initial ?? {}}
        onFinish={(values) => void submit(values as F)}
      >
        {children}
      </Form>
    </Modal>
  );
}
