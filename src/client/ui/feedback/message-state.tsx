import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./message-state.module.css";

type EmptyStateProps = {
  /** Address of a picture of ours, 4:3. It decorates: the text says it all. */
  picture?: string;
  title: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
  /** 1 where it is the whole page, 2 (the default) inside a page. */
  level?: 1 | 2;
};

/** Nothing here yet: a picture, one sentence, one action. */
export function EmptyState({ picture, title, text, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className={classes.state}>
      {picture && <img className={classes.picture} src={picture} alt="" width={280} height={210} />}
      <Heading className={classes.title}>{title}</Heading>
      {text && <p className={classes.text}>{text}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}

export type ErrorStateProps = {
  title: ReactNode;
  /** Says what was kept, and what to do. */
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
