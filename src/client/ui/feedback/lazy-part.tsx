import { Button } from "@mantine/core";
import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { type ComponentType, lazy, useCallback, useState } from "react";
import classes from "./lazy-part.module.css";
import { ErrorState } from "./message-state.tsx";

/** The code of a part could not be fetched. */
class CodeMissing extends Error {}

type Load<Props extends object> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A component whose code is fetched when it first shows. Where that fails, the page around it stays with all that was typed:
 * a note in its place says so, and tries again. A second failure goes to the page, as any other error of the part does: an
 * earlier release's code is gone, and the page is loaded anew.
 */
export const lazyPart = <Props extends object>(load: Load<Props>) => makeLazy(load, CodeNote);

/** The same for a dialog, a drawer or a viewer: the note is at the window's edge, wherever the page is scrolled to. */
export const lazyDialog = <Props extends object>(load: Load<Props>) => makeLazy(load, FloatingCodeNote);

function makeLazy<Props extends object>(load: Load<Props>, Note: typeof CodeNote): ComponentType<Props> {
  let failures = 0;
  const fetchPart = () =>
    lazy(() =>
      load().catch((cause: unknown) => {
        failures += 1;
        throw failures > 1 ? cause : new CodeMissing("the code could not be fetched", { cause });
      }),
    );
  let Part = fetchPart();
  return function LazyPart(props) {
    const [tries, setTries] = useState(0);
    const noteOf = useCallback(({ error }: ErrorComponentProps) => {
      if (!(error instanceof CodeMissing)) throw error;
      return (
        <Note
          onRetry={() => {
            Part = fetchPart();
            setTries((before) => before + 1);
          }}
        />
      );
    }, []);
    return (
      <CatchBoundary getResetKey={() => tries} errorComponent={noteOf}>
        <Part {...props} />
      </CatchBoundary>
    );
  };
}

const texts = {
  title: "This part could not be loaded",
  text: "Please check your internet connection. Nothing you typed was lost.",
} as const;

function CodeNote(props: { onRetry: () => void }) {
  return <ErrorState {...texts} {...props} />;
}

function FloatingCodeNote({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={classes.floating} role="alert">
      <p className={classes.text}>
        <strong>{texts.title}.</strong> {texts.text}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
