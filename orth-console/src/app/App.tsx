import { QueryClientProvider } from "@tanstack/react-query";
import { App as AntApp, ConfigProvider } from "antd";
import enUS from "antd/locale/en_US";
import zhCN from "antd/locale/zh_CN";
import { useMemo } from "react";
import { RouterProvider } from "react-router/dom";
import { preferences } from "../lib/preferences";
import { createQueryClient } from "../lib/queryClient";
import { useStore } from "../lib/store";
import { themeConfig } from "../lib/theme";
import { createRouter } from "./routes";

const client = createQueryClient();
const router = createRouter();

/** Theme, language, server state and routes around everything. */
export function App() {
  const { language, theme } = useStore(preferences);
  const config = useMemo(() => themeConfig(theme), [theme]);
  return (
    <ConfigProvider theme={config} locale={language === "zh" ? zhCN : enUS} button={{ autoInsertSpace: false }}>
      <AntApp className="app">
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AntApp>
    </ConfigProvider>
  );
}
