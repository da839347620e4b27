import { trpc } from "#client/lib/trpc.ts";
import type { SecondPersonKind } from "#shared/second-person/texts.ts";

/** What open requests of a kind are about. */
export function useRequests(kind: SecondPersonKind): ReadonlySet<string> {
  const { data } = trpc.secondPerson.list.useQuery(undefined, { staleTime: 0 });
  return new Set(data?.requests.filter((request) => request.kind === kind).map(({ subject }) => subject));
}
