import { secondPersonTexts } from "#shared/second-person/texts.ts";
import { toast } from "./toast.ts";
import { trpc } from "./trpc.ts";

/**
 * Asks another owner to confirm something, and tells the sender that the request was sent. `refetch` reads anew what else
 * the request changes on the screen.
 */
export function useAskSecondPerson(refetch?: () => Promise<unknown>) {
  const utils = trpc.useUtils();
  return trpc.secondPerson.ask.useMutation({
    onSuccess: () => toast.success(secondPersonTexts.asked),
    onSettled: () => Promise.all([utils.secondPerson.list.invalidate(), refetch?.()]),
  });
}
