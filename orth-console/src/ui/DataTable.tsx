import { Button, type CheckboxProps, Empty, Skeleton, Table, type TableColumnsType } from "antd";
import type { CSSProperties, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorPanel } from "./ErrorPanel";

type Props<T extends object> = {
  /** What the table lists; read by screen readers. */
  label: string;
  columns: TableColumnsType<T>;
  rowKey: (row: T) => string;
  /** Undefined while the first answer is awaited. */
  rows: T[] | undefined;
  error: unknown;
  onRetry: () => void;
  empty: ReactNode;
  /** `label` where there is another word for it. */
  more?: { has: boolean; loading: boolean; load: () => void; label?: string };
  rowClassName?: (row: T) => string;
  /**
   * Given where columns have widths: whatever a cell holds, it does not widen its column. Columns without a width share the
   * rest; on a screen narrower than this many pixels the table scrolls sideways.
   */
  minWidth?: number;
  selection?: { keys: string[]; change: (keys: string[]) => void; can: (row: T) => boolean; label: (row: T) => string };
};

/** A list with its four looks: rows, skeleton, nothing, and why not. Old rows stay while new ones are fetched. */
export function DataTable<T extends object>(props: Props<T>) {
  const { label, columns, rowKey, rows, error, onRetry, empty, more, rowClassName, minWidth, selection } = props;
  const { t } = useTranslation();
  if (rows === undefined && error !== null && error !== undefined) {
    return <ErrorPanel error={error} onRetry={onRetry} />;
  }
  return (
    <div aria-busy={rows === undefined} className="data-table">
      {rows === undefined ? (
        <ListSkeleton />
      ) : rows.length === 0 ? (
        empty
      ) : (
        // Narrow screens scroll it sideways, so the keyboard must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className="table-scroll" tabIndex={0} aria-label={label} style={{ "--table-min-width": `${minWidth ?? 0}px` } as CSSProperties}>
          <Table<T>
            size="small"
            tableLayout={minWidth === undefined ? "auto" : "fixed"}
            columns={columns}
            dataSource={rows}
            rowKey={rowKey}
            pagination={false}
            // A job's children are other jobs, not rows below it.
            expandable={{ childrenColumnName: "rowsBelow" }}
            {...(rowClassName === undefined ? {} : { rowClassName })}
            {...(selection === undefined
              ? {}
              : {
                  rowSelection: {
                    columnWidth: 40,
                    selectedRowKeys: selection.keys,
                    onChange: (keys) => selection.change(keys.map(String)),
                    getCheckboxProps: (row) =>
                      ({ disabled: !selection.can(row), "aria-label": selection.label(row) }) as CheckboxProps,
                    getTitleCheckboxProps: () => ({ "aria-label": t("common.selectAll") }) as CheckboxProps,
                  },
                })}
          />
        </section>
      )}
      {more?.has ? (
        <div className="load-more">
          <Button onClick={more.load} loading={more.loading}>
            {more.label ?? t("common.loadMore")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

export function ListSkeleton() {
  return (
    <div className="late list-skeleton">
      <Skeleton active title={false} paragraph={{ rows: 8, width: "100%" }} />
    </div>
  );
}

type EmptyListProps = { filtered: boolean; onClear?: () => void; title: string; hint?: string; action?: ReactNode };

/** Nothing yet, or nothing that matches: two different things for whoever looks at it. */
export function EmptyList({ filtered, onClear, title, hint, action }: EmptyListProps) {
  const { t } = useTranslation();
  if (filtered) {
    return (
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t("common.noMatch")}>
        {onClear === undefined ? null : <Button onClick={onClear}>{t("common.clearFilters")}</Button>}
      </Empty>
    );
  }
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        <>
          <div className="empty-title">{title}</div>
          {hint === undefined ? null : <div className="muted">{hint}</div>}
        </>
      }
    >
      {action}
    </Empty>
  );
}
