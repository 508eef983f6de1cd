import { CheckOutlined, CopyOutlined } from "@ant-design/icons";
import { App, Button, type ButtonProps } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../lib/clipboard";

type Props = Pick<ButtonProps, "size" | "type" | "disabled"> & { text: () => string; label?: string };

export function CopyButton({ text, label, ...button }: Props) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [done, setDone] = useState(false);
  useEffect(() => {
    const timer = done ? setTimeout(() => setDone(false), 1500) : undefined;
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async (): Promise<void> => {
    if (await copyText(text())) {
      setDone(true);
    } else {
      void message.error(t("common.copyFailed"));
    }
  };
  return (
    <Button {...button} icon={done ? <CheckOutlined /> : <CopyOutlined />} onClick={() => void copy()}>
      {done ? t("common.copied") : (label ?? t("common.copy"))}
    </Button>
  );
}
