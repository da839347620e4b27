import type { SyntheticEvent } from "react";
import classes from "./rich-text.module.css";

/** A picture that could not be loaded gives way to what it would have shown. */
function describeMissing({ target }: SyntheticEvent) {
  if (target instanceof HTMLImageElement) target.replaceWith(target.alt);
}

/** Formatted text from people. `html` must have been sanitised: the server does so on write and again on read. */
export function RichText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server's allowlist, twice.
  return <div className={classes.text} onErrorCapture={describeMissing} dangerouslySetInnerHTML={{ __html: html }} />;
}
