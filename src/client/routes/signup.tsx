import { createFileRoute, redirect, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AuthCard } from "#client/features/accounts/auth-card.tsx";
import { SignUpForm } from "#client/features/accounts/sign-up-form.tsx";
import { SignUpSent } from "#client/features/accounts/sign-up-sent.tsx";
import { safeNext } from "#client/lib/session/guards.ts";
import { keepSentTo, readSentTo } from "#client/lib/tab-store.ts";
import { Page } from "#client/ui/layout/page.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";

export const Route = createFileRoute("/signup")({
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === "string" ? { next: search.next } : {},
  beforeLoad: async ({ context, search }) => {
    if (await context.trpc.auth.viewer.ensureData()) throw redirect({ href: safeNext(search.next, "/") });
  },
  component: SignUp,
});

function SignUp() {
  const search = Route.useSearch();
  const router = useRouter();
  const [sentTo, setSentTo] = useState(readSentTo);
  const next = sentTo?.next ?? search.next;
  const showSentTo = (email: string | null) => {
    const sent = email === null ? null : { email, ...(next !== undefined && { next }) };
    keepSentTo(sent);
    setSentTo(sent);
  };
  if (sentTo !== null) {
    return (
      <Page width="form">
        <PageTitle>Check your email</PageTitle>
        <SignUpSent email={sentTo.email} next={next} onCorrected={showSentTo} onStartOver={() => showSentTo(null)} />
      </Page>
    );
  }
  return (
    <Page width="form">
      <PageTitle>Sign Up</PageTitle>
      <AuthCard
        title="Create your account"
        text={
          next?.startsWith("/back-project/")
            ? "Create an account to hold lots. Then you go on where you were."
            : "Back a farm, follow it week by week, share in the harvest."
        }
        footer={
          <>
            Already have an account?{" "}
            <TextLink to="/login" search={search}>
              Sign in
            </TextLink>
          </>
        }
      >
        <SignUpForm next={next} onSignedUp={() => router.history.push(safeNext(next, "/"))} onSent={showSentTo} />
      </AuthCard>
    </Page>
  );
}
