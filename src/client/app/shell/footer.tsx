import { Link, useHydrated } from "@tanstack/react-router";
import { useViewer } from "#client/lib/session/session.ts";
import { useSite } from "#client/lib/site.ts";
import { PhoneLinks } from "#client/shared-parts/ways-to-reach.tsx";
import { companyOf } from "#shared/site/site.ts";
import classes from "./footer.module.css";
import { Logo } from "./header-parts.tsx";

const columns = [
  {
    id: "footer-backers",
    title: "For Backers",
    links: [
      ["/discover", "Discover projects"],
      ["/how-it-works", "How it works"],
      ["/trust-safety", "Trust & Safety"],
      ["/faq", "FAQ"],
      ["/verify", "Verify a paper"],
      ["/profile", "My projects"],
    ],
  },
  {
    id: "footer-about",
    title: "About",
    links: [
      ["/about", "About us"],
      ["/careers", "Careers"],
      ["/contact", "Contact"],
      ["/creator-resources", "Creator resources"],
    ],
  },
] as const;

const legal = [
  ["/terms", "Terms"],
  ["/privacy", "Privacy"],
  ["/cookies", "Cookies"],
  ["/accessibility", "Accessibility"],
] as const;

/** For who is signed in the account itself; its place is kept until that is known. */
function AccountLink() {
  const known = useViewer();
  // The footer hydrates by itself, perhaps after the answer came: its first render must match the server's.
  const viewer = useHydrated() ? known : undefined;
  const [to, label] = viewer
    ? (["/profile/account", "My account"] as const)
    : (["/signup", "Create an account"] as const);
  return (
    <li data-waiting={viewer === undefined || undefined}>
      <Link className={classes.link} to={to}>
        {label}
      </Link>
    </li>
  );
}

/** The footer of every public page. Fetched by itself: nobody sees it first. */
export default function Footer() {
  const site = useSite();
  return (
    <footer className={classes.footer}>
      <div className={classes.columns}>
        <div className={classes.brand}>
          <Logo />
          <p className={classes.tagline}>{site.tagline}</p>
          {site.supportEmail && (
            <a className={classes.link} href={`mailto:${site.supportEmail}`}>
              {site.supportEmail}
            </a>
          )}
          <PhoneLinks className={classes.link} />
          {site.address && <p className={classes.address}>{site.address}</p>}
        </div>
        {columns.map(({ id, title, links }) => (
          <nav key={id} aria-labelledby={id}>
            <h2 className={classes.heading} id={id}>
              {title}
            </h2>
            <ul className={classes.links}>
              {links.map(
                ([to, label]) =>
                  (to !== "/careers" || site.hasCareers) && (
                    <li key={to}>
                      <Link className={classes.link} to={to}>
                        {label}
                      </Link>
                    </li>
                  ),
              )}
              {id === "footer-backers" && <AccountLink />}
            </ul>
          </nav>
        ))}
      </div>
      <div className={classes.legal}>
        <p suppressHydrationWarning>
          © {new Date().getFullYear()} {companyOf(site)}
          {site.companyNumber && ` · ${site.companyNumber.replace(" ", "\u00a0")}`}
        </p>
        {site.regulatorNote && <p className={classes.note}>{site.regulatorNote}</p>}
        <ul className={classes.links} aria-label="Legal">
          {legal.map(([to, label]) => (
            <li key={to}>
              <Link className={classes.link} to={to}>
                {label}
              </Link>
            </li>
          ))}
          <li>
            <Link className={classes.link} to="/admin/login" preload={false}>
              Admin sign-in
            </Link>
          </li>
        </ul>
      </div>
    </footer>
  );
}
