import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { SecondPersonKind } from "#shared/second-person/texts.ts";

/** Returns the subjects of open requests of a kind. None for those who may only look. */
export function useRequests(kind: SecondPersonKind): ReadonlySet<string> {
  const { data } = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0, enabled: useCan("payments:process") });
  return new Set(data?.requests.filter((request) => request.kind === kind).map(({ subject }) => subject));
}
