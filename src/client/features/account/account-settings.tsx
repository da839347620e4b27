import type { ReactNode } from "react";
import { errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/section-card.tsx";
import classes from "./account-settings.module.css";
import { CloseCard } from "./close-card.tsx";
import { DataCard } from "./data-card.tsx";
import { EmailCard } from "./email-card.tsx";
import { NameCard } from "./name-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** All that a person can change about the account. `children`: further cards, after those of sign-ins. */
export function AccountSettings({ children }: { children?: ReactNode }) {
  const { data: account, error, refetch, isFetching } = trpc.users.account.useQuery(undefined, { staleTime: 0 });
  if (error && !account) {
    return (
      <ErrorState
        title="Your account could not be loaded"
        text={errorText(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!account) {
    return (
      <Loading label="Loading your account">
        <div className={classes.cards}>
          {["Name", "Email", "Password"].map((title) => (
            <SectionCard key={title} title={title}>
              <SkeletonText lines={3} />
            </SectionCard>
          ))}
        </div>
      </Loading>
    );
  }
  const { fullName, email, pendingEmail, isAdmin } = account;
  return (
    <div className={classes.cards}>
      <NameCard fullName={fullName} />
      <EmailCard email={email} pendingEmail={pendingEmail} account={account} />
      <PasswordCard account={account} />
      <SessionsCard account={account} />
      {children}
      <DataCard />
      <CloseCard account={account} isAdmin={isAdmin} />
    </div>
  );
}
