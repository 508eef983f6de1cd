import { later } from "./later";
import { StreamHub } from "./streamHub";
import { type FromPage, StreamPorts } from "./streamPorts";

// Runs as a SharedWorker: there is one for all pages of the browser, and it has their only event stream.
const hub = new StreamHub({ connect: (url) => new EventSource(url), later });
const ports = new StreamPorts(hub, () => performance.now());

globalThis.addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  port?.addEventListener("message", ({ data }: MessageEvent<FromPage>) => ports.heard(port, data));
  port?.start();
});

setInterval(() => ports.dropSilent(), 30_000);
