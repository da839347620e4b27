import { Link } from "@tanstack/react-router";
import { brand } from "#shared/brand.ts";
import classes from "./logo.module.css";

/** The mark and the name: the way home. */
export function Logo() {
  return (
    <Link to="/" className={classes.logo} aria-label={`${brand.name}, home`}>
      <img src="/art/logo-mark.svg" alt="" width={32} height={32} />
      <span>{brand.name}</span>
    </Link>
  );
}
