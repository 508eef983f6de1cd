import { memo } from "react";
import { useTranslation } from "react-i18next";
import { type AnsiStyle, parseAnsi } from "../../../lib/ansi";
import { maxShownChars, rowHeight } from "../../../lib/logLayout";


type Props = { number: number | null; text: string; style: AnsiStyle; rows: number };

const classOf = ({ fg, bg, bold }: AnsiStyle): string | undefined => {
  const names = [fg === null ? "" : `fg-${fg}`, bg === null ? "" : `bg-${bg}`, bold ? "bold" : ""].filter((name) => name !== "");
  return names.length === 0 ? undefined : names.join(" ");
};

/** One line, as text nodes only: whatever a job prints stays text. */
export const LogLine = memo(function LogLine({ number, text, style, rows }: Props) {
  const { t } = useTranslation();
  const cut = text.length - maxShownChars;
  const { spans } = parseAnsi(cut > 0 ? text.slice(0, maxShownChars) : text, style);
  return (
    <div className="log-line" style={{ height: rows * rowHeight }}>
      <span className="log-number" data-number={number ?? ""} />
      <span className="log-text">
        {spans.map((span) => (
          <span key={span.at} className={classOf(span.style)}>
            {span.text}
          </span>
        ))}
        {cut > 0 ? <span className="muted">{t("log.cut", { count: cut })}</span> : null}
      </span>
    </div>
  );
});
