import { Button } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { can, useSignOut, useViewer } from "#client/lib/session.ts";
import classes from "./admin-header.module.css";
import { BellPlace } from "./bell-place.tsx";
import { ColorSchemeToggle } from "./color-scheme-toggle.tsx";
import { Logo } from "./logo.tsx";

/** Nothing but the name until an administrator is signed in. */
export default function AdminHeader() {
  const viewer = useViewer();
  const { signOut, isPending } = useSignOut();
  return (
    <header className={classes.header}>
      <div className={classes.row}>
        <Logo />
        <span className={classes.area}>Admin</span>
        {viewer?.isAdmin && (
          <nav className={classes.links} aria-label="Admin">
            <Link to="/admin/dashboard" className={classes.link}>
              Dashboard
            </Link>
            {can(viewer, "payments:view") && (
              <Link to="/admin/payments" className={classes.link}>
                Payments
              </Link>
            )}
            {can(viewer, "settings:manage") && (
              <Link to="/admin/settings" className={classes.link}>
                Settings
              </Link>
            )}
          </nav>
        )}
        <div className={classes.end}>
          {viewer?.isAdmin && (
            <Link
              to="/profile/account"
              className={classes.account}
              aria-label={`Account settings of ${viewer.fullName}`}
            >
              <span className={classes.name}>{viewer.fullName}</span>
              <IconSettings size={20} aria-hidden="true" />
            </Link>
          )}
          {viewer?.isAdmin && <BellPlace />}
          <ColorSchemeToggle />
          {viewer?.isAdmin && (
            <Button size="sm" px="sm" variant="default" onClick={signOut} loading={isPending}>
              Logout
            </Button>
          )}
        </div>
      </div>
    </header>
  );
}
