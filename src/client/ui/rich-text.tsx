import classes from "./rich-text.module.css";

/** Formatted text from people. `html` must have been sanitised: the server does so on write and again on read. */
export function RichText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server's allowlist, twice.
  return <div className={classes.text} dangerouslySetInnerHTML={{ __html: html }} />;
}
