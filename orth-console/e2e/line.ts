import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to the server that can be cut, as networks are, and mended; or stand still, as servers do, and move again. */
export type Line = { url: string; cut: () => void; mend: () => void; freeze: () => void; thaw: () => void; close: () => void };

const flow = ([near, far]: [Socket, Socket]): void => {
  near.pipe(far);
  far.pipe(near);
};

const stopFlow = ([near, far]: [Socket, Socket]): void => {
  near.unpipe(far);
  far.unpipe(near);
};

export async function openLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const pairs = new Set<[Socket, Socket]>();
  let whole = true;
  let frozen = false;
  const server = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.on("close", () => pairs.delete(pair));
    if (!frozen) {
      flow(pair);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const cut = (): void => {
    whole = false;
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      whole = true;
    },
    freeze: () => {
      frozen = true;
      pairs.forEach(stopFlow);
    },
    thaw: () => {
      frozen = false;
      pairs.forEach(flow);
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
