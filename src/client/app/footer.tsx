import { Link } from "@tanstack/react-router";
import { brand } from "#shared/brand.ts";
import classes from "./footer.module.css";
import { Logo } from "./logo.tsx";

export function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.columns}>
        <div className={classes.brand}>
          <Logo />
          <p className={classes.tagline}>{brand.tagline}</p>
        </div>
        <nav aria-labelledby="footer-backers">
          <h2 className={classes.heading} id="footer-backers">
            For Backers
          </h2>
          <ul className={classes.links}>
            <li>
              <Link to="/discover">Discover projects</Link>
            </li>
            <li>
              <Link to="/profile">My projects</Link>
            </li>
            <li>
              <Link to="/signup">Create an account</Link>
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-about">
          <h2 className={classes.heading} id="footer-about">
            About
          </h2>
          <ul className={classes.links}>
            <li>
              <Link to="/">Home</Link>
            </li>
            <li>
              <a href={`mailto:${brand.supportEmail}`}>Email us</a>
            </li>
            <li>
              <Link to="/admin/login" preload={false}>
                Admin sign-in
              </Link>
            </li>
          </ul>
        </nav>
      </div>
      <p className={classes.legal}>
        © {new Date().getFullYear()} {brand.legalName}
      </p>
    </footer>
  );
}
