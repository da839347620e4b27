import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./message-state.module.css";

type ErrorStateProps = {
  /** What happened. */
  title: ReactNode;
  /** What was kept and what to do. */
  text?: ReactNode;
  onRetry?: () => void;
  retryLabel?: string;
  isRetrying?: boolean;
  /** A way out beside the retry. */
  action?: ReactNode;
  level?: 1 | 2;
};

/** Something failed: what happened, what was kept, what to do. Read out at once. */
export function ErrorState(props: ErrorStateProps) {
  const { title, text, onRetry, retryLabel = "Try again", isRetrying = false, action, level = 2 } = props;
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className={classes.state} role="alert">
      <Heading className={classes.title}>{title}</Heading>
      {text && <p className={classes.text}>{text}</p>}
      {onRetry && (
        <Button className={classes.action} onClick={onRetry} loading={isRetrying}>
          {retryLabel}
        </Button>
      )}
      {action}
    </div>
  );
}
