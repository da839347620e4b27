import { Button } from "@mantine/core";
import type { ComponentType } from "react";
import { lazyOr } from "#client/lib/lazy-or.ts";
import classes from "./lazy-part.module.css";
import { ErrorState } from "./message-state.tsx";

type Load<Props extends object> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A component whose code is fetched when it first shows. Where that fails, a note takes its place, and the page around it
 * stays with all that was typed. Only a reload helps: browsers remember that code could not be fetched, and its styles aren't
 * asked for a second time.
 */
export const lazyPart = <Props extends object>(load: Load<Props>) => lazyOr<Props>(load, MissingPart);

/** The same for a dialog, a drawer or a viewer: the note is at the window's edge, wherever the page is scrolled to. */
export const lazyDialog = <Props extends object>(load: Load<Props>) => lazyOr<Props>(load, MissingDialog);

export const missingCodeTexts = {
  title: "This part could not be loaded",
  text: "Please check your internet connection, then reload the page. What you typed stays here until you do.",
  reload: "Reload the page",
} as const;
const { title, text, reload } = missingCodeTexts;

const reloadPage = () => location.reload();

function MissingPart() {
  return <ErrorState title={title} text={text} onRetry={reloadPage} retryLabel={reload} />;
}

function MissingDialog() {
  return (
    <div className={classes.floating} role="alert">
      <p className={classes.text}>
        <strong>{title}.</strong> {text}
      </p>
      <Button onClick={reloadPage}>{reload}</Button>
    </div>
  );
}
