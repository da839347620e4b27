import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { tabStorage } from "#client/lib/browser-storage.ts";
import { takeLink } from "#client/lib/mailed-link.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { useStartSession } from "#client/lib/session/start-session.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";

type Opened = RouterOutputs["team"]["inviteByToken"];
export type ValidInvite = Extract<Opened, { state: "valid" }>;

/** The invitation whose link led here, as the server sees it now; asked again when somebody signs in or out. */
export function useInvite({ linkRole }: { linkRole: string | undefined }) {
  const [{ token, times }, setOpened] = useState(() => ({ token: readInviteToken(), times: 1 }));
  const [hasJoined, setHasJoined] = useState(false);
  const viewer = useViewer();
  const { client } = trpc.useUtils();
  const startSession = useStartSession();

  // A link that is pasted into the address bar of this very page differs in its fragment only.
  useEffect(() => {
    const readAgain = () => setOpened((before) => ({ token: readInviteToken(), times: before.times + 1 }));
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
    if (isOver) forgetInviteToken();
  }, [isOver]);

  /** After the server has accepted: the new session, or where a code is wanted first only the way to it. */
  const join = useCallback(
    async ({ needsCode }: { needsCode: boolean }) => {
      setHasJoined(true);
      forgetInviteToken();
      if (!needsCode) await startSession();
    },
    [startSession],
  );

  return { token, viewer, query, join };
}

/** Kept for this tab until the invitation is accepted: neither a reload nor a sign-in on the way loses it. */
const KEY = "invite-token";

/** The token of the link that led here now or before; empty without one. */
function readInviteToken(): string {
  const link = takeLink();
  if (link?.type !== "invite") return tabStorage.read(KEY) ?? "";
  // Where the browser keeps nothing, the link works until the page is left.
  tabStorage.keep(KEY, link.token);
  return link.token;
}

function forgetInviteToken() {
  tabStorage.keep(KEY, null);
}
