import { DownOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { columnsIn, gutter, LogLayout, rowHeight } from "../../../lib/logLayout";
import { LogLine } from "./LogLine";
import type { ShownLog } from "./useLog";
import { useViewport } from "./useViewport";

type Props = {
  log: ShownLog;
  wrap: boolean;
  label: string;
  placeholder: ReactNode;
  /** False where it does not begin with the first line, so that the numbers of lines are unknown. */
  numbered?: boolean;
};

/** Lines drawn above and below what is visible. */
const margin = 30;

/**
 * Draws only the lines in view, so a long log costs no more than a short one. It follows the end until someone scrolls up,
 * and says then how many lines have come since.
 */
export function LogViewer({ log, wrap, label, placeholder, numbered = true }: Props) {
  const { t } = useTranslation();
  const { buffer } = log;
  const viewport = useRef<HTMLDivElement>(null);
  const { width, height, charWidth, scrollTop, onScroll } = useViewport(viewport);
  const columns = wrap ? columnsIn(width, charWidth) : 0;
  const layout = useMemo(() => new LogLayout(buffer, columns), [buffer, columns]).follow();
  const [following, setFollowing] = useState(true);
  const [seen, setSeen] = useState(0);
  const total = buffer.dropped + buffer.length;

  // After every draw: whatever made it longer, the end stays in view; or the lines that are read stay where they are.
  const gone = useRef(buffer.dropped);
  const end = useRef(0);
  useLayoutEffect(() => {
    const element = viewport.current;
    if (element === null) {
      return;
    }
    if (!following) {
      if (gone.current < buffer.dropped) {
        element.scrollTop -= (buffer.dropped - gone.current) * rowHeight;
      }
      end.current = 0;
    } else if (element.scrollTop > Math.min(end.current, element.scrollHeight - element.clientHeight) - rowHeight) {
      element.scrollTop = element.scrollHeight;
      end.current = element.scrollTop;
    } // Else somebody has just scrolled up, of which no event has told yet, and is not dragged back.
    gone.current = buffer.dropped;
  });

  const scrolled = (): void => {
    const element = viewport.current;
    if (element === null) {
      return;
    }
    onScroll();
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < rowHeight;
    if (atEnd !== following) {
      setFollowing(atEnd);
      setSeen(total);
    }
  };

  const first = Math.max(0, layout.lineAt(Math.floor(scrollTop / rowHeight)) - margin);
  const last = Math.min(buffer.length, layout.lineAt(Math.ceil((scrollTop + height) / rowHeight)) + margin);
  const shown: ReactNode[] = [];
  for (let index = first; index < last; index++) {
    const number = buffer.dropped + index + 1;
    shown.push(
      <LogLine
        key={number}
        number={numbered ? number : null}
        text={buffer.line(index)}
        style={buffer.styleAt(index)}
        rows={layout.startOf(index + 1) - layout.startOf(index)}
      />,
    );
  }
  const unseen = following ? 0 : total - seen;
  return (
    <div className="log-frame" data-wrap={wrap}>
      {buffer.dropped === 0 ? null : <div className="log-dropped">{t("log.dropped", { count: buffer.dropped })}</div>}
      {/* The region scrolls, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={viewport} className="log" role="log" aria-live="off" aria-label={label} tabIndex={0} onScroll={scrolled}>
        {buffer.length === 0 ? (
          <div className="log-placeholder">{placeholder}</div>
        ) : (
          <div className="log-canvas" style={{ height: layout.rows * rowHeight, minWidth: wrap ? 0 : Math.ceil(layout.width * charWidth) + gutter }}>
            <div className="log-window" style={{ transform: `translateY(${layout.startOf(first) * rowHeight}px)` }}>
              {shown}
            </div>
          </div>
        )}
      </div>
      {following ? null : (
        <Button className="log-jump" type="primary" size="small" icon={<DownOutlined />} onClick={() => setFollowing(true)}>
          {unseen > 0 ? t("log.newLines", { count: unseen }) : t("log.follow")}
        </Button>
      )}
    </div>
  );
}
