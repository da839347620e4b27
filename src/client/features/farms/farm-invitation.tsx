import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { forgetInviteToken, readInviteToken } from "#client/lib/invite-token.ts";
import { useViewer } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { InviteFault, SignOutStep } from "#client/shared-parts/invite-ends.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { farmPeopleTexts, farmRoleInWords, farmRoleSummaries } from "#shared/farms/people-texts.ts";
import classes from "./farms.module.css";

type ValidInvite = Extract<RouterOutputs["farms"]["inviteByToken"], { state: "valid" }>;

const KEY = "farm-invite-token";
const here = "/farm/invitation";

/** /farm/invitation: what a mailed link offers, and the next step to take it up. */
export function FarmInvitation({ onAccepted }: { onAccepted: () => void }) {
  const [{ token, times }, setOpened] = useState(() => ({ token: readInviteToken(KEY), times: 1 }));
  const [hasAccepted, setHasAccepted] = useState(false);
  const viewer = useViewer();
  const { client } = trpc.useUtils();
  // A link that is pasted into the address bar of this very page differs in its fragment only.
  useEffect(() => {
    const readAgain = () => setOpened((before) => ({ token: readInviteToken(KEY), times: before.times + 1 }));
    window.addEventListener("hashchange", readAgain);
    return () => window.removeEventListener("hashchange", readAgain);
  }, []);
  const query = useQuery({
    queryKey: ["farms", "inviteByToken", token, times, viewer?.id],
    queryFn: () => client.farms.inviteByToken.mutate({ token }),
    // An accepted invitation is a used one: that is not to be shown to whoever has just accepted it.
    enabled: viewer !== undefined && !hasAccepted,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const { data, error, refetch, isFetching } = query;
  const isOver = data !== undefined && data.state !== "valid";
  useEffect(() => {
    if (isOver) forgetInviteToken(KEY);
  }, [isOver]);

  if (error && !isFetching) {
    return <LoadFailed query={query} level={1} title="The invitation could not be opened" />;
  }
  if (!data) {
    return (
      <Loading label="Opening your invitation">
        <SkeletonText lines={4} />
      </Loading>
    );
  }
  if (data.state !== "valid") {
    return (
      <InviteFault
        fault={data.state}
        withdrawn="It was taken back, or the farm was closed since. Ask the person who invited you."
        signIn="/login"
      />
    );
  }
  const { title, text } = wordsOf(data, viewer?.email);
  return (
    <SectionCard level={1} title={title} text={text}>
      <div className={classes.steps}>
        {data.step !== "sign-out" && <p className={classes.none}>{farmRoleSummaries[data.role]}</p>}
        {data.step === "sign-up" && (
          <LinkButton to="/signup" search={{ next: here }} fullWidth>
            Create an account
          </LinkButton>
        )}
        {data.step === "sign-in" && (
          <LinkButton to="/login" search={{ next: here }} fullWidth>
            Sign In
          </LinkButton>
        )}
        {data.step === "confirm" && <ConfirmStep email={data.email} />}
        {data.step === "accept" && (
          <AcceptStep
            token={token}
            onAccepted={() => {
              setHasAccepted(true);
              forgetInviteToken(KEY);
              onAccepted();
            }}
            onRefused={() => void refetch()}
          />
        )}
        {data.step === "sign-out" && <SignOutStep />}
      </div>
    </SectionCard>
  );
}

function wordsOf({ step, email, farmName, role }: ValidInvite, viewerEmail: string | undefined) {
  const invited = `${email} is invited as ${farmRoleInWords[role]}.`;
  switch (step) {
    case "sign-up":
      return {
        title: `Report for ${farmName}`,
        text: `${invited} Create an account with this address and confirm it, then open the link in the invitation again.`,
      };
    case "sign-in":
      return {
        title: `Report for ${farmName}`,
        text: `${invited} This address has an account already. Sign in to it, and you come back here.`,
      };
    case "confirm":
      return {
        title: "Confirm your address first",
        text: `${invited} We have to know that ${email} is yours: open the link that we mail you.`,
      };
    case "accept":
      return { title: `Report for ${farmName}`, text: invited };
    case "sign-out":
      return {
        title: "This invitation is for another address",
        text: `It was sent to ${email}, but you are signed in as ${viewerEmail ?? "somebody else"}. Sign out to go on with it.`,
      };
  }
}

function ConfirmStep({ email }: { email: string }) {
  const resend = trpc.auth.resendConfirmation.useMutation({
    onSuccess: () => toast.success("Link sent", `Look into the inbox of ${email}, and in the spam folder.`),
    onError: (error) => toast.error("The link could not be sent", errorText(error)),
  });
  return (
    <Button
      fullWidth
      loading={resend.isPending}
      disabled={resend.isSuccess}
      onClick={() => resend.mutate({ email, next: here })}
    >
      {resend.isSuccess ? "Link sent" : "Send me the link"}
    </Button>
  );
}

type AcceptStepProps = { token: string; onAccepted: () => void; onRefused: () => void };

function AcceptStep({ token, onAccepted, onRefused }: AcceptStepProps) {
  const utils = trpc.useUtils();
  const accept = trpc.farms.acceptInvite.useMutation({
    onSuccess: async ({ farmName }) => {
      toast.success("Invitation accepted", `You report for ${farmName} now.`);
      await Promise.allSettled([utils.auth.viewer.invalidate(), utils.farms.invalidate()]);
      onAccepted();
    },
    onError: (error) => {
      toast.error(errorReason(error) === "internal" ? farmPeopleTexts.invitationFailed : errorText(error));
      if (errorReason(error) !== "network") onRefused();
    },
  });
  return (
    <Button fullWidth loading={accept.isPending || accept.isSuccess} onClick={() => accept.mutate({ token })}>
      Accept invitation
    </Button>
  );
}
