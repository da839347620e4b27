import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AuthCard } from "#client/features/accounts/auth-card.tsx";
import { AcceptStep, describeInvite, SignInStep } from "#client/features/people/team/invite-steps.tsx";
import { SetupForm } from "#client/features/people/team/setup-form.tsx";
import { useInvite } from "#client/features/people/team/use-invite.ts";
import { toast } from "#client/lib/toast.ts";
import { InviteFault, SignOutStep } from "#client/shared-parts/invite-ends.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { inviteTexts } from "#shared/people/team-texts.ts";

type Prefill = { email?: string; full_name?: string; role?: string };

const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** The query only fills in what is shown; what the invitation grants is the server's to say (product decision). */
export const Route = createFileRoute("/admin/setup-account")({
  validateSearch: (search: Record<string, unknown>): Prefill => {
    const given = { email: textOf(search.email), full_name: textOf(search.full_name), role: textOf(search.role) };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  },
  component: SetUpAccount,
});

function SetUpAccount() {
  return (
    <Page width="form">
      <PageTitle>Admin Account Setup</PageTitle>
      <Invitation />
    </Page>
  );
}

function Invitation() {
  const prefill = Route.useSearch();
  const navigate = Route.useNavigate();
  const { token, viewer, query, join } = useInvite({ linkRole: prefill.role });
  const { data, error, refetch, isFetching } = query;

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
        withdrawn="Whoever sent it can no longer invite people. Ask another owner for a new invitation."
        signIn="/admin/login"
      />
    );
  }

  const enter = (title: string) => async (answer: { needsCode: boolean }) => {
    try {
      await join(answer);
    } catch {
      // The invitation is accepted, whatever comes after.
      toast.error(inviteTexts.joinFailed, inviteTexts.notSignedIn);
      return navigate({ to: "/admin/login" });
    }
    toast.success(title);
    await navigate({ to: answer.needsCode ? "/admin/login" : "/admin/dashboard" });
  };
  const look = () => void refetch();
  return (
    <AuthCard {...describeInvite(data, viewer?.email)}>
      {data.step === "set-up" && (
        <SetupForm
          token={token}
          email={data.email}
          fullName={prefill.full_name ?? data.fullName}
          onAccepted={enter(inviteTexts.created)}
          onRefused={look}
        />
      )}
      {data.step === "accept" && <AcceptStep token={token} onAccepted={enter(inviteTexts.accepted)} onRefused={look} />}
      {data.step === "sign-in" && <SignInStep />}
      {data.step === "sign-out" && <SignOutStep />}
    </AuthCard>
  );
}
