import { Tag, Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import type { Declaration, DeclarationState } from "../../api/declarations";

const tone: Record<DeclarationState, string> = { FOLLOWED: "default", DIFFERS: "warning", REFUSED: "error", WITHDRAWN: "default" };

/** Tells in a list that code declares a job, and whether the job is as it says. */
export function DeclarationTag({ of }: { of: Declaration | null }) {
  const { t } = useTranslation();
  return of === null ? null : (
    <Tooltip title={t(`declared.tagHint.${of.state}`)}>
      <Tag color={tone[of.state]}>{t(`declared.tag.${of.state}`)}</Tag>
    </Tooltip>
  );
}
