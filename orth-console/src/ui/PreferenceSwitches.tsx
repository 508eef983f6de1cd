import { MoonOutlined, SunOutlined, TranslationOutlined } from "@ant-design/icons";
import { Button, Dropdown, Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import { languageNames, languages } from "../lib/i18n";
import { changePreferences, preferences } from "../lib/preferences";
import { useStore } from "../lib/store";

export function LanguageSwitch() {
  const { t } = useTranslation();
  const { language } = useStore(preferences);
  return (
    <Dropdown
      trigger={["click"]}
      menu={{
        selectedKeys: [language],
        items: languages.map((each) => ({
          key: each,
          label: languageNames[each],
          onClick: () => void changePreferences({ language: each }),
        })),
      }}
    >
      <Button type="text" icon={<TranslationOutlined />} aria-label={`${t("app.language")}: ${languageNames[language]}`}>
        <span className="wide-only">{languageNames[language]}</span>
      </Button>
    </Dropdown>
  );
}

export function ThemeSwitch() {
  const { t } = useTranslation();
  const { theme } = useStore(preferences);
  const label = theme === "dark" ? t("app.themeToLight") : t("app.themeToDark");
  return (
    <Tooltip title={label}>
      <Button
        type="text"
        aria-label={label}
        icon={theme === "dark" ? <SunOutlined /> : <MoonOutlined />}
        onClick={() => void changePreferences({ theme: theme === "dark" ? "light" : "dark" })}
      />
    </Tooltip>
  );
}
