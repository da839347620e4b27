import { useMutation } from "@tanstack/react-query";
import { trpc } from "./trpc.ts";

/** The question of the human check: none until it is asked for, another one each time. */
export function useHumanCheck() {
  const utils = trpc.useUtils();
  const asking = useMutation({ mutationFn: () => utils.client.auth.humanCheck.query() });
  return {
    question: asking.data ?? null,
    isAsking: asking.isPending,
    hasFailed: asking.isError,
    ask: () => asking.mutate(),
    forget: () => asking.reset(),
  };
}

export type HumanCheckState = ReturnType<typeof useHumanCheck>;
