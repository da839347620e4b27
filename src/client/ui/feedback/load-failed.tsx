import { errorText } from "#client/lib/errors.ts";
import { ErrorState, type ErrorStateProps } from "./message-state.tsx";

/** The state of a query that fetched nothing, and its retry. */
export type FailedQuery = { error: unknown; isRefetching: boolean; refetch: () => unknown };

type LoadFailedProps = { query: FailedQuery } & Pick<ErrorStateProps, "title" | "text" | "action" | "level">;

/** Says that something couldn't be loaded and why, with *Try again*. */
export function LoadFailed({ query, text = errorText(query.error), ...rest }: LoadFailedProps) {
  return <ErrorState text={text} onRetry={() => void query.refetch()} isRetrying={query.isRefetching} {...rest} />;
}
