import { IconMenu2, IconX } from "@tabler/icons-react";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import iconButton from "#client/ui/layout/icon-button.module.css";
import { AccountLinks } from "./account-links.tsx";
import { BellPlace } from "./bell-place.tsx";
import { ColorSchemeToggle } from "./color-scheme-toggle.tsx";
import classes from "./header.module.css";
import { HeaderSearch } from "./header-search.tsx";
import { Logo } from "./logo.tsx";

const MENU_ID = "main-menu";

/** The native popover brings Escape, outside clicks and aria-expanded; we close it when a page was chosen. */
function MobileMenu() {
  const menu = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", () => menu.current?.hidePopover()), [router]);
  return (
    <div className={classes.mobile}>
      <ColorSchemeToggle />
      <button type="button" className={iconButton.button} popoverTarget={MENU_ID} aria-label="Menu">
        <IconMenu2 size={24} stroke={1.75} aria-hidden="true" />
      </button>
      <nav ref={menu} id={MENU_ID} className={classes.menu} popover="auto" aria-label="Menu">
        <div className={classes.menuTop}>
          <Logo />
          <button
            type="button"
            className={iconButton.button}
            popoverTarget={MENU_ID}
            popoverTargetAction="hide"
            aria-label="Close menu"
          >
            <IconX size={24} stroke={1.75} aria-hidden="true" />
          </button>
        </div>
        <HeaderSearch />
        <Link to="/discover" className={classes.menuLink}>
          Discover
        </Link>
        <Link to="/how-it-works" className={classes.menuLink}>
          How it works
        </Link>
        <AccountLinks isStacked />
      </nav>
    </div>
  );
}

/** The public pages' header. From 768 px in one row, below with a menu (specification, section 2). */
export function Header() {
  return (
    <header className={classes.header}>
      <div className={classes.row}>
        <Logo />
        <nav className={classes.links} aria-label="Main">
          <Link to="/discover" className={classes.link}>
            Discover
          </Link>
          <Link to="/how-it-works" className={classes.link}>
            How it works
          </Link>
        </nav>
        <div className={classes.wide}>
          <HeaderSearch />
          <ColorSchemeToggle />
        </div>
        <div className={classes.end}>
          <BellPlace />
          <AccountLinks />
        </div>
        <MobileMenu />
      </div>
    </header>
  );
}
