import { ListSkeleton } from "./DataTable";
import { ErrorPanel } from "./ErrorPanel";
import { PageHeader } from "./PageHeader";

type Props = { title: string; error: unknown; onRetry?: () => void };

/** A page about one thing that is not here yet, or that cannot be shown. */
export function PageState({ title, error, onRetry }: Props) {
  return (
    <>
      <PageHeader title={title} />
      {error === null ? <ListSkeleton /> : <ErrorPanel error={error} {...(onRetry === undefined ? {} : { onRetry })} />}
    </>
  );
}
