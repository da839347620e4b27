import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { errorDetail, errorText } from "#client/lib/errors.ts";
import { safeNext } from "#client/lib/session/guards.ts";
import { useStartSession } from "#client/lib/session/start-session.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { googleTexts } from "#shared/accounts/google-texts.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import type { SessionKind } from "#shared/accounts/sessions.ts";
import { AuthCard } from "./auth-card.tsx";

type Answer = { code?: string; state?: string; error?: string };

/** Returns the provider's answer in the address of the callback page; null when it isn't the provider that led here. */
export function readGoogleAnswer(): Answer | null {
  // Read by hand: the router takes numbers and words for JSON.
  const query = new URLSearchParams(window.location.search);
  const answer: Answer = {};
  for (const field of ["code", "state", "error"] as const) {
    const value = query.get(field);
    if (value !== null) answer[field] = value;
  }
  return answer.code === undefined && answer.error === undefined ? null : answer;
}

const failures: string[] = [googleTexts.signInFailed, googleTexts.signUpFailed, googleTexts.linkFailed];

/** Ends a flow that began at a Google button, at once and only once. Without an answer it fails as any other. */
export function GoogleReturn({ kind }: { kind: SessionKind }) {
  const [answer] = useState(readGoogleAnswer);
  const router = useRouter();
  const utils = trpc.useUtils();
  const startSession = useStartSession();
  const isTaken = useRef(false);
  const signInPage = kind === "admin" ? "/admin/login" : "/login";

  // This page is no place to come back to: it is replaced.
  const leaveTo = (path: string) => router.history.replace(safeNext(path, signInPage));
  const { mutate, error } = trpc.auth.finishGoogle.useMutation({
    onSuccess: async (result) => {
      if (result.outcome === "entered") {
        // The sign-in page asks for the code, and leads on.
        if (result.needsCode)
          return leaveTo(kind === "admin" ? signInPage : `/login?${new URLSearchParams({ next: result.to })}`);
        await startSession();
        if (kind === "admin") toast.success(authTexts.adminSignedIn);
      }
      // The sign-in page asks for the password, and leads on.
      if (result.outcome === "asks_password")
        return leaveTo(kind === "admin" ? signInPage : `/login?${new URLSearchParams({ next: result.to })}`);
      if (result.outcome === "linked") {
        void utils.auth.identities.invalidate();
        toast.success("Google linked", "From now on you can sign in with it.");
      }
      if (result.outcome === "cancelled") toast.info(googleTexts.cancelled);
      leaveTo(result.to);
    },
    onError: (error) => {
      // Whoever isn't let in there has been signed out; an answer that was already on its way doesn't know it.
      if (kind === "admin") void utils.auth.viewer.cancel().then(() => utils.auth.viewer.invalidate());
      if (!failures.includes(error.message)) return;
      toast.error(error.message);
      leaveTo(backToOf(error, signInPage));
    },
  });

  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    window.history.replaceState(window.history.state, "", window.location.pathname);
    mutate({ kind, ...answer });
  }, [mutate, kind, answer]);

  if (error && !failures.includes(error.message)) {
    const backTo = backToOf(error, signInPage);
    return (
      <ErrorState
        level={1}
        title={backTo === "/profile/account" ? googleTexts.linkFailed : googleTexts.signInFailed}
        text={entryErrorText(error)}
        action={
          <ButtonRow>
            {error.message === googleTexts.accountUnverified && (
              <LinkButton to={kind === "admin" ? "/admin/forgot-password" : "/forgot-password"}>
                Reset the password
              </LinkButton>
            )}
            <LinkButton to={backTo} {...(error.message === googleTexts.accountUnverified && { variant: "default" })}>
              {backTo === "/profile/account" ? "Back to my account" : "Back to sign in"}
            </LinkButton>
          </ButtonRow>
        }
      />
    );
  }
  return (
    <AuthCard title="Signing you in" text="One moment.">
      <Loading label="Signing you in">
        <SkeletonText lines={2} />
      </Loading>
    </AuthCard>
  );
}

/** A page of ours that the server named, or the sign-in page that belongs to this one. */
function backToOf(error: unknown, fallback: "/login" | "/admin/login") {
  const named = errorDetail(error, "backTo");
  return (
    (["/login", "/signup", "/admin/login", "/profile/account"] as const).find((page) => page === named) ?? fallback
  );
}

/**
 * Returns the text that tells people why they aren't let in: the server's, but another one for an account that is no
 * administrator's.
 */
export function entryErrorText(error: unknown): string {
  const text = errorText(error);
  return text === authTexts.notAdmin ? authTexts.noAdminAccess : text;
}
