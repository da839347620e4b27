import { errorText } from "#client/lib/errors.ts";
import { ErrorState, type ErrorStateProps } from "./message-state.tsx";

/** Of a query, what is told and done where nothing came. */
export type FailedQuery = { error: unknown; isRefetching: boolean; refetch: () => unknown };

type LoadFailedProps = { query: FailedQuery } & Pick<ErrorStateProps, "title" | "text" | "action" | "level">;

/** What couldn't be loaded, why, and *Try again*. */
export function LoadFailed({ query, text = errorText(query.error), ...rest }: LoadFailedProps) {
  return <ErrorState text={text} onRetry={() => void query.refetch()} isRetrying={query.isRefetching} {...rest} />;
}
