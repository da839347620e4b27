import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import NotFoundPage from "#client/app/not-found-page.tsx";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AuthCard } from "#client/features/accounts/auth-card.tsx";
import { FirstOwnerForm, SetupCodeForm } from "#client/features/site/setup-form.tsx";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { Page } from "#client/ui/layout/page.tsx";

/** There until the site has its first owner, and never again. */
export const Route = createFileRoute("/setup")({ component: Setup });

function Setup() {
  const { data, error, refetch, isFetching } = trpc.setup.open.useQuery(undefined, { staleTime: 0 });
  if (errorReason(error) === "not_found") return <NotFoundPage />;
  return (
    <Page width="form">
      <PageTitle>Set up this site</PageTitle>
      {data ? (
        <FirstOwner onGone={() => void refetch()} />
      ) : error && !isFetching ? (
        <ErrorState
          level={1}
          title="The set-up could not be opened"
          text={errorText(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label="Opening the set-up">
          <SkeletonText lines={4} />
        </Loading>
      )}
    </Page>
  );
}

/** First the code from the log, then the account. */
function FirstOwner({ onGone }: { onGone: () => void }) {
  const navigate = Route.useNavigate();
  const [code, setCode] = useState<string | null>(null);
  if (code === null) {
    return (
      <AuthCard
        title="Set up this site"
        text="Nobody owns this site yet. Enter the code that the server wrote into its log when it started."
      >
        <SetupCodeForm onDone={setCode} onGone={onGone} />
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="You"
      text="Your account owns this site. Company, look, bank account and the rest come after it, one at a time."
    >
      <FirstOwnerForm
        code={code}
        onDone={() => navigate({ to: "/admin/two-factor", search: { next: "/admin/set-up" } })}
        onGone={onGone}
      />
    </AuthCard>
  );
}
