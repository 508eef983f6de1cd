import { render, screen } from "@testing-library/react";
import { Table, type TableColumnsType } from "antd";
import { describe, expect, it } from "vitest";
import { type Executor, toExecutor } from "../../api/executors";
import { useExecutorColumns } from "./executorColumns";

type Column = TableColumnsType<Executor>[number];

/** Whatever the width of the page. */
const atAnyWidth = ({ responsive, ...column }: Column): Column => (responsive === undefined ? column : { ...column });

function Shown({ executor }: { executor: Executor }) {
  const columns = useExecutorColumns().filter(({ key }) => key === "cpu" || key === "hostLoad");
  return <Table columns={columns.map((column) => atAnyWidth(column))} dataSource={[executor]} rowKey="instanceId" pagination={false} />;
}

describe("the list of executors @must-first", () => {
  it("shows the CPU of the process apart from the load of its host", () => {
    const executor = toExecutor({
      instanceId: "i",
      groupId: "1",
      groupName: "sample",
      address: "http://h:1",
      kind: "ORTH",
      status: "ONLINE",
      host: "h",
      pid: 41,
      version: "1",
      registeredAt: "2026-11-03T13:00:00Z",
      lastBeatAt: "2026-11-03T13:00:00Z",
      draining: false,
      unreachableAt: null,
      metrics: { cpu: 4.42, processCpu: 0.03, ram: { rss: 120, heapUsed: 45, heapTotal: 64 }, running: 0, queued: 0, leakedThreads: 0 },
    });
    render(<Shown executor={executor} />);
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(["Process CPU", "Host load"]);
    expect(screen.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["3 %", "442 %"]);
  });
});
