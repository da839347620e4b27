import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { Link, useHydrated } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyOr, Nothing } from "#client/lib/lazy-or.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { useSite } from "#client/lib/site.ts";
import iconButton from "#client/ui/layout/icon-button.module.css";
import classes from "./header.module.css";

/** The mark and the name: the way home. */
export function Logo() {
  const site = useSite();
  return (
    <Link to="/" className={classes.logo} aria-label={`${site.name}, home`}>
      <img src={site.markPath ? `${site.markPath}/192.png` : "/art/logo-mark.svg"} alt="" width={32} height={32} />
      <span>{site.name}</span>
    </Link>
  );
}

/** Follows the system until it is pressed; the choice is kept in this browser. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  // The server knows no scheme, and the first render in the browser must match the server's.
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

const Bell = lazyOr(() => import("#client/features/notifications/bell.tsx"), Nothing);

/** Holds the bell's place for whoever is signed in, until its code is there. */
export function BellPlace() {
  return (
    useViewer() && (
      <div className={classes.bell}>
        <Suspense>
          <Bell />
        </Suspense>
      </div>
    )
  );
}
