import { ErrorState } from "#client/ui/feedback/message-state.tsx";

/** The server was not reached: a whole new start is the one thing to try. */
export function NetworkError() {
  return (
    <ErrorState
      title="Network Error"
      text={
        <>
          Unable to load projects...
          <br />
          Unable to connect to the server. Please check your connection.
        </>
      }
      retryLabel="Refresh Page"
      onRetry={() => window.location.reload()}
    />
  );
}
