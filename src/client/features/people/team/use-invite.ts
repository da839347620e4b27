import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { forgetInviteToken, readInviteToken } from "#client/lib/invite-token.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { useStartSession } from "#client/lib/session/start-session.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";

type Opened = RouterOutputs["team"]["inviteByToken"];
export type ValidInvite = Extract<Opened, { state: "valid" }>;

const KEY = "invite-token";

/** The invitation whose link led here, as the server sees it now; asked again when somebody signs in or out. */
export function useInvite({ linkRole }: { linkRole: string | undefined }) {
  const [{ token, times }, setOpened] = useState(() => ({ token: readInviteToken(KEY), times: 1 }));
  const [hasJoined, setHasJoined] = useState(false);
  const viewer = useViewer();
  const { client } = trpc.useUtils();
  const startSession = useStartSession();

  // A link that is pasted into the address bar of this very page differs in its fragment only.
  useEffect(() => {
    const readAgain = () => setOpened((before) => ({ token: readInviteToken(KEY), times: before.times + 1 }));
    window.addEventListener("hashchange", readAgain);
    return () => window.removeEventListener("hashchange", readAgain);
  }, []);

  const query = useQuery({
    queryKey: ["team", "inviteByToken", token, times, viewer?.id],
    queryFn: () => client.team.inviteByToken.mutate({ token, linkRole }),
    // An accepted invitation is a used one: that is not to be shown to whoever has just accepted it.
    enabled: viewer !== undefined && !hasJoined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

  const isOver = query.data !== undefined && query.data.state !== "valid";
  useEffect(() => {
    if (isOver) forgetInviteToken(KEY);
  }, [isOver]);

  /** After the server has accepted: the new session, or where a code is wanted first only the way to it. */
  const join = useCallback(
    async ({ needsCode }: { needsCode: boolean }) => {
      setHasJoined(true);
      forgetInviteToken(KEY);
      if (!needsCode) await startSession();
    },
    [startSession],
  );

  return { token, viewer, query, join };
}
