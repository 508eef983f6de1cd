import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { declarationKeys, type InVain, listInVain } from "../../api/declarations";
import { pollMillis } from "../../lib/queryClient";

/** What code declares and no job shows: it was refused, or its job was deleted. Nothing where there is none of it. */
export function DeclaredInVain() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: declarationKeys.inVain,
    queryFn: ({ signal }) => listInVain(signal),
    refetchInterval: pollMillis.lists,
  });
  const found = query.data ?? [];
  if (found.length === 0) {
    return null;
  }
  const refused = found.some((each) => each.state === "REFUSED");
  return (
    <Alert
      type={refused ? "warning" : "info"}
      showIcon
      className="form-alert"
      title={t("declared.inVain", { count: found.length })}
      description={
        <ul>
          {found.map((each) => (
            <li key={`${each.groupId} ${each.name}`}>
              <Subject of={each} />:{" "}
              {each.state === "REFUSED" ? t("declared.inVainRefused", { problem: each.problem ?? "" }) : t("declared.inVainDismissed")}
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
