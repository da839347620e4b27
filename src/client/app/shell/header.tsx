import { IconMenu2, IconSearch, IconX } from "@tabler/icons-react";
import { Link, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useRef } from "react";
import { useAdminFlag } from "#client/lib/session/admin-flag.ts";
import { trpc } from "#client/lib/trpc.ts";
import iconButton from "#client/ui/layout/icon-button.module.css";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import classes from "./header.module.css";
import { BellPlace, ColorSchemeToggle, Logo } from "./header-parts.tsx";

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

/** Dashboard where the admin flag is stored, else Profile when signed in, or Login and Sign Up. */
function AccountLinks({ isStacked = false }: { isStacked?: boolean }) {
  const isAdmin = useAdminFlag();
  const { data: viewer, isPending } = trpc.auth.viewer.useQuery();
  const size = isStacked ? "md" : "sm";
  return (
    <div className={classes.account} data-stacked={isStacked || undefined}>
      {isAdmin ? (
        <LinkButton to="/admin/dashboard" size={size} preload={false}>
          Dashboard
        </LinkButton>
      ) : viewer ? (
        <LinkButton to="/profile" size={size}>
          Profile
        </LinkButton>
      ) : (
        // Held back until the server has said who this is, so that nobody signed in sees "Login" flash by.
        <div className={classes.account} data-stacked={isStacked || undefined} data-waiting={isPending || undefined}>
          <LinkButton to="/login" size={size} variant="default">
            Login
          </LinkButton>
          <LinkButton to="/signup" size={size}>
            Sign Up
          </LinkButton>
        </div>
      )}
    </div>
  );
}

/** Goes to /discover with the text, which searches the titles there (product decision). */
function HeaderSearch() {
  const id = useId();
  const router = useRouter();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get("search");
    const search = typeof text === "string" ? text.trim() : "";
    router.navigate({ to: "/discover", search: search ? { search } : {} });
  };
  return (
    <search className={classes.search}>
      <form action="/discover" onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          Search projects
        </label>
        <IconSearch size={18} stroke={1.75} aria-hidden="true" />
        <input
          id={id}
          type="search"
          name="search"
          placeholder="Search projects"
          maxLength={100}
          enterKeyHint="search"
        />
      </form>
    </search>
  );
}
