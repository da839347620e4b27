import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useHydrated } from "@tanstack/react-router";
import iconButton from "#client/ui/layout/icon-button.module.css";
import classes from "./color-scheme-toggle.module.css";

/** Follows the system until it is pressed; the choice is kept in this browser. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  // The server knows of no scheme, and the browser takes over what the server has painted.
  const isDark = useHydrated() && scheme === "dark";
  return (
    <button
      type="button"
      className={iconButton.button}
      aria-label={isDark ? "Use light colours" : "Use dark colours"}
      onClick={() => setColorScheme(isDark ? "light" : "dark")}
    >
      <IconMoon className={classes.inLight} size={20} stroke={1.75} aria-hidden="true" />
      <IconSun className={classes.inDark} size={20} stroke={1.75} aria-hidden="true" />
    </button>
  );
}
