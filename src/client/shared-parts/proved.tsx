import type { ReactNode } from "react";
import { errorText } from "#client/lib/errors.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import type { ProofWanted } from "./own-proof.tsx";

/** The query users.account, as far as it is needed here. */
type ProofQuery = {
  data: ProofWanted | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
};

type ProvedProps = { query: ProofQuery; children: (proof: ProofWanted) => ReactNode };

/** A form that asks for one's own proof, once it is known what the account is asked for. */
export function Proved({ query: { data, error, isFetching, refetch }, children }: ProvedProps) {
  if (data) return children(data);
  if (error) {
    return (
      <ErrorState
        title="This could not be loaded"
        text={errorText(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  return (
    <Loading>
      <SkeletonText lines={4} />
    </Loading>
  );
}
