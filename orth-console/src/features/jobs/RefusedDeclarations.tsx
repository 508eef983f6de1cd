import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { declarationKeys, type InVain, listInVain } from "../../api/declarations";
import { pollMillis } from "../../lib/queryClient";

/** What code declares and was refused, whether or not there is a job to show it. Whoever deleted a job knows about that one. */
export function RefusedDeclarations() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: declarationKeys.inVain,
    queryFn: ({ signal }) => listInVain(signal),
    refetchInterval: pollMillis.lists,
  });
  const found = (query.data ?? []).filter((each) => each.state === "REFUSED");
  if (found.length === 0) {
    return null;
  }
  return (
    <Alert
      type="warning"
      showIcon
      className="form-alert"
      title={t("declared.inVain", { count: found.length })}
      description={
        <ul>
          {found.map((each) => (
            <li key={`${each.groupId} ${each.name}`}>
              <Subject of={each} />: {each.problem}
            </li>
          ))}
        </ul>
      }
    />
  );
}

function Subject({ of }: { of: InVain }) {
  const { t } = useTranslation();
  const words = t("declared.ofGroup", { name: of.name, group: of.groupName });
  return of.jobId === null ? words : <Link to={`/jobs/${of.jobId}`}>{words}</Link>;
}
