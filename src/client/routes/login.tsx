import { createFileRoute, redirect, useRouter } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AuthCard } from "#client/features/accounts/auth-card.tsx";
import { SignInForm } from "#client/features/accounts/sign-in-form.tsx";
import { safeNext } from "#client/lib/session/guards.ts";
import { useSite } from "#client/lib/site.ts";
import { Page } from "#client/ui/layout/page.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";

export const Route = createFileRoute("/login")({
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === "string" ? { next: search.next } : {},
  beforeLoad: async ({ context, search }) => {
    const viewer = await context.trpc.auth.viewer.ensureData();
    if (viewer) throw redirect({ href: safeNext(search.next, "/profile") });
  },
  component: Login,
});

function Login() {
  const site = useSite();
  const { next } = Route.useSearch();
  const router = useRouter();
  return (
    <Page width="form">
      <PageTitle>Login</PageTitle>
      <AuthCard
        title="Welcome back"
        text={`Sign in to ${site.name} to follow the farms you back.`}
        footer={
          <>
            Don't have an account?{" "}
            <TextLink to="/signup" search={next === undefined ? {} : { next }}>
              Sign up
            </TextLink>
          </>
        }
      >
        <SignInForm door="public" next={next} onSignedIn={() => router.history.push(safeNext(next, "/profile"))} />
      </AuthCard>
    </Page>
  );
}
