import { useState } from "react";
import { useLive } from "#client/lib/live.ts";
import { trpc } from "#client/lib/trpc.ts";

/**
 * Follows a project's messages as they come. On the first page (`isAtTop`) they appear by themselves; elsewhere the
 * page stays as it is being read, and `hasNew` says that there is something above.
 */
export function useNewMessages(projectId: number, isAtTop: boolean) {
  const utils = trpc.useUtils();
  const [hasNew, setHasNew] = useState(false);
  // At the top everything is shown, also what came while another page was.
  if (isAtTop && hasNew) setHasNew(false);
  useLive("messages", (ofProject) => {
    // Null: the connection was lost, and anything may have been missed.
    if (ofProject !== null && ofProject !== projectId) return;
    void utils.messages.list.invalidate({ projectId }, { refetchType: isAtTop ? "active" : "none" });
    if (!isAtTop && ofProject !== null) setHasNew(true);
  });
  return hasNew;
}
