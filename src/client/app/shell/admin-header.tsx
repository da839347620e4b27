import { Button } from "@mantine/core";
import { IconSettings, IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { can, useSignOut, useViewer, type Viewer } from "#client/lib/session/session.ts";
import iconButton from "#client/ui/layout/icon-button.module.css";
import classes from "./admin-header.module.css";
import { BellPlace, ColorSchemeToggle, Logo } from "./header-parts.tsx";

const MENU_ID = "admin-menu";

/** Nothing but the name until an administrator is signed in. */
export default function AdminHeader() {
  const viewer = useViewer();
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
            {can(viewer, "bank:view") && (
              <Link to="/admin/bank" className={classes.link}>
                Bank
              </Link>
            )}
            {can(viewer, "payouts:view") && (
              <Link to="/admin/payouts" className={classes.link}>
                Payouts
              </Link>
            )}
            {can(viewer, "payments:view") && (
              <Link to="/admin/papers" className={`${classes.link} ${classes.wide}`}>
                Papers
              </Link>
            )}
            {can(viewer, "books:close") && (
              <Link to="/admin/books" className={`${classes.link} ${classes.wide}`}>
                Books
              </Link>
            )}
            {can(viewer, "projects:edit") && (
              <Link to="/admin/farms" className={`${classes.link} ${classes.wide}`}>
                Farms
              </Link>
            )}
            {can(viewer, "settings:manage") && (
              <Link to="/admin/settings" className={classes.link}>
                Settings
              </Link>
            )}
            {can(viewer, "audit:view") && !can(viewer, "settings:manage") && (
              <Link to="/admin/settings" search={{ tab: "audit" }} className={classes.link}>
                Audit log
              </Link>
            )}
          </nav>
        )}
        <div className={classes.end}>
          {viewer?.isAdmin && <BellPlace />}
          <ColorSchemeToggle />
          {viewer?.isAdmin && <Account viewer={viewer} />}
        </div>
      </div>
    </header>
  );
}

/** On phones and tablets a native popover under a button; from 992 px the same stands in the row. */
function Account({ viewer }: { viewer: Viewer }) {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const { signOut, isPending } = useSignOut();
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${iconButton.button} ${classes.menuButton}`}
        popoverTarget={MENU_ID}
        aria-label="Account"
      >
        <IconUserCircle size={24} stroke={1.75} aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id={MENU_ID}
        popover="auto"
        className={classes.menu}
        onBeforeToggle={() => {
          if (menu.current) menu.current.style.top = `${button.current?.getBoundingClientRect().bottom ?? 0}px`;
        }}
      >
        {can(viewer, "payments:view") && (
          <Link to="/admin/papers" className={classes.menuLink} onClick={() => menu.current?.hidePopover()}>
            Papers
          </Link>
        )}
        {can(viewer, "books:close") && (
          <Link to="/admin/books" className={classes.menuLink} onClick={() => menu.current?.hidePopover()}>
            Books
          </Link>
        )}
        {can(viewer, "projects:edit") && (
          <Link to="/admin/farms" className={classes.menuLink} onClick={() => menu.current?.hidePopover()}>
            Farms
          </Link>
        )}
        <Link
          to="/profile/account"
          className={classes.account}
          aria-label={`Account settings of ${viewer.fullName}`}
          onClick={() => menu.current?.hidePopover()}
        >
          <span className={classes.name} dir="auto">
            {viewer.fullName}
          </span>
          <IconSettings size={20} aria-hidden="true" />
        </Link>
        <Button size="sm" px="sm" variant="default" onClick={signOut} loading={isPending}>
          Logout
        </Button>
      </div>
    </>
  );
}
