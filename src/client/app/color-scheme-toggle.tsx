import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import iconButton from "#client/ui/icon-button.module.css";

/** Follows the system until it is pressed; the choice is kept in this browser. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const Icon = isDark ? IconSun : IconMoon;
  return (
    <button
      type="button"
      className={iconButton.button}
      aria-label={isDark ? "Use light colours" : "Use dark colours"}
      onClick={() => setColorScheme(isDark ? "light" : "dark")}
    >
      <Icon size={20} stroke={1.75} aria-hidden="true" />
    </button>
  );
}
