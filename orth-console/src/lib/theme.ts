import { theme as antdTheme, type ThemeConfig } from "antd";

export const themes = ["light", "dark"] as const;
export type ThemeName = (typeof themes)[number];

/** The class that carries the theme's CSS variables; it stands on the root element so that our own styles see them. */
export const themeClass = "orth-theme";

const shared: ThemeConfig = {
  cssVar: { key: themeClass },
  hashed: false,
  token: {
    fontSize: 13,
    fontSizeSM: 12,
    borderRadius: 5,
    controlHeight: 30,
    wireframe: false,
    fontFamily:
      "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif",
    fontFamilyCode: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace",
  },
  components: {
    Table: { cellPaddingBlockSM: 6, cellPaddingInlineSM: 10, headerBorderRadius: 5 },
    Tabs: { horizontalMargin: "0 0 12px 0" },
  },
};

/** Text colours are darker than the defaults, which miss the contrast WCAG AA asks for. */
const light: ThemeConfig["token"] = {
  colorPrimary: "#2f54c8",
  colorPrimaryHover: "#3b60d2",
  colorInfo: "#1d5fc4",
  colorInfoBg: "#e9f1fd",
  colorSuccess: "#1b7a36",
  colorSuccessBg: "#e7f6eb",
  colorSuccessBorder: "#b5dfc2",
  colorWarning: "#a65300",
  colorWarningBg: "#fdf2e3",
  colorWarningBorder: "#f1cf9f",
  colorError: "#c02626",
  colorErrorHover: "#cb3535",
  colorErrorBg: "#fdeeee",
  colorLink: "#2f54c8",
  colorLinkHover: "#2646ab",
  colorLinkActive: "#1f3a90",
  colorText: "#1c2430",
  colorTextSecondary: "#4c5768",
  colorTextTertiary: "#5f6b7c",
  colorTextQuaternary: "#6b7686",
  colorTextPlaceholder: "#6b7686",
  colorTextDisabled: "#6b7686",
  colorTextDescription: "#5f6b7c",
  colorBgLayout: "#f5f6f8",
  colorBorder: "#cfd5de",
  colorBorderSecondary: "#e4e8ee",
};

const dark: ThemeConfig["token"] = {
  colorPrimary: "#8ea7ff",
  colorPrimaryBg: "#1c2540",
  colorInfo: "#7db1ff",
  colorInfoBg: "#17263c",
  colorSuccess: "#5fd07d",
  colorSuccessBg: "#14291b",
  colorWarning: "#f5b05e",
  colorWarningBg: "#2e2312",
  colorError: "#ff8a86",
  colorErrorBg: "#331a1b",
  colorLink: "#a9bcff",
  colorLinkHover: "#c3d0ff",
  colorBgLayout: "#0f1318",
  colorBgContainer: "#171c23",
  colorBgElevated: "#1f252e",
  colorBorder: "#3a4552",
  colorBorderSecondary: "#28303a",
  colorText: "#e3e8ef",
  colorTextSecondary: "#b3bdca",
  colorTextTertiary: "#9aa6b5",
  colorTextQuaternary: "#8e9aaa",
  colorTextPlaceholder: "#8e9aaa",
  colorTextDisabled: "#8e9aaa",
  colorTextDescription: "#9aa6b5",
};

/** Bright grounds take dark words. */
const darkButton = { primaryColor: "#0b1020", dangerColor: "#1f0808", primaryShadow: "none", dangerShadow: "none" };

export const themeConfig = (name: ThemeName): ThemeConfig => ({
  ...shared,
  components: { ...shared.components, ...(name === "dark" ? { Button: darkButton } : {}) },
  algorithm: name === "dark" ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
  token: { ...shared.token, ...(name === "dark" ? dark : light) },
});
