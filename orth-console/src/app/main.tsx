import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyPreferences } from "../lib/preferences";
import { App } from "./App";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/forms.css";
import "./styles/log.css";
import "./styles/events.css";
import "./styles/systemLog.css";
import "./styles/queues.css";
import "./styles/deadLetters.css";
import "./styles/pipelines.css";
import "./styles/ansi.css";
import "./styles/small.css";

async function start(): Promise<void> {
  await applyPreferences();
  const root = document.getElementById("root");
  if (root === null) {
    throw new Error("index.html has no #root");
  }
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

void start();
