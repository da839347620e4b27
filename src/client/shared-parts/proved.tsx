import type { ReactNode } from "react";
import { type FailedQuery, LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import type { ProofWanted } from "./own-proof.tsx";

/** The query users.account, as far as it is needed here. */
type ProofQuery = FailedQuery & { data: ProofWanted | undefined };

type ProvedProps = { query: ProofQuery; children: (proof: ProofWanted) => ReactNode };

/** A form that asks for one's own proof, once it is known what the account is asked for. */
export function Proved({ query, children }: ProvedProps) {
  const { data, error } = query;
  if (data) return children(data);
  if (error) {
    return <LoadFailed query={query} title="This could not be loaded" />;
  }
  return (
    <Loading>
      <SkeletonText lines={4} />
    </Loading>
  );
}
