import { createFileRoute, redirect } from "@tanstack/react-router";
import { useState } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AuthCard } from "#client/features/accounts/auth-card.tsx";
import { SignUpForm } from "#client/features/accounts/sign-up-form.tsx";
import { SignUpSent } from "#client/features/accounts/sign-up-sent.tsx";
import { keepSentTo, readSentTo } from "#client/lib/tab-store.ts";
import { Page } from "#client/ui/layout/page.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";

export const Route = createFileRoute("/signup")({
  beforeLoad: async ({ context }) => {
    if (await context.trpc.auth.viewer.ensureData()) throw redirect({ to: "/" });
  },
  component: SignUp,
});

function SignUp() {
  const navigate = Route.useNavigate();
  const [sentTo, setSentTo] = useState(readSentTo);
  const showSentTo = (email: string | null) => {
    keepSentTo(email);
    setSentTo(email);
  };
  if (sentTo !== null) {
    return (
      <Page width="form">
        <PageTitle>Check your email</PageTitle>
        <SignUpSent email={sentTo} onCorrected={showSentTo} onStartOver={() => showSentTo(null)} />
      </Page>
    );
  }
  return (
    <Page width="form">
      <PageTitle>Sign Up</PageTitle>
      <AuthCard
        title="Create your account"
        text="Back a farm, follow it week by week, share in the harvest."
        footer={
          <>
            Already have an account? <TextLink to="/login">Sign in</TextLink>
          </>
        }
      >
        <SignUpForm onSignedUp={() => navigate({ to: "/" })} onSent={showSentTo} />
      </AuthCard>
    </Page>
  );
}
