import { useQuery } from "@tanstack/react-query";
import { Form, Select } from "antd";
import { useTranslation } from "react-i18next";
import { executorKeys, listExecutors } from "../../api/executors";
import { routeStrategies } from "../../api/routing";
import type { JobFields } from "./jobFields";

const mostAddresses = 100;

/** Which executor a run goes to, and which ones only. */
export function WhereFields() {
  const { t } = useTranslation();
  const routing = Form.useWatch<JobFields["routing"]>("routing") ?? "ROUND";
  const groupId = Form.useWatch<JobFields["groupId"]>("groupId");
  const executors = useQuery({ queryKey: executorKeys.list(false), queryFn: ({ signal }) => listExecutors(false, signal), staleTime: 30_000 });
  const online = (executors.data ?? []).filter((each) => each.groupId === groupId && each.status === "ONLINE");
  const addresses = [...new Set(online.map((each) => each.address))].toSorted();
  return (
    <>
      <Form.Item name="routing" label={t("routing.strategy")} extra={t(`routing.hint.${routing}`)}>
        <Select options={routeStrategies.map((each) => ({ value: each, label: t(`routing.name.${each}`) }))} />
      </Form.Item>
      <Form.Item name="addresses" label={t("routing.addresses")} extra={t("routing.addressesHint")} rules={[{ type: "array", max: mostAddresses }]}>
        <Select
          mode="tags"
          className="mono"
          maxCount={mostAddresses}
          tokenSeparators={[" ", ",", "\n"]}
          placeholder={t("routing.anywhere")}
          options={addresses.map((each) => ({ value: each, label: each }))}
        />
      </Form.Item>
    </>
  );
}
