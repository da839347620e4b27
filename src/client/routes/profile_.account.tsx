import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { AccountSettings } from "#client/features/accounts/account-settings.tsx";
import { AgreementsCard } from "#client/features/accounts/agreements-card.tsx";
import { GoogleIdentity } from "#client/features/accounts/google-identity.tsx";
import { TwoFactorCard } from "#client/features/accounts/two-factor-card.tsx";
import { EmailPreferences } from "#client/features/notifications/email-preferences.tsx";
import { SavedSearches } from "#client/features/saved-searches/saved-searches.tsx";
import { requireSignIn } from "#client/lib/session/guards.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { Page } from "#client/ui/layout/page.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

export const Route = createFileRoute("/profile_/account")({
  beforeLoad: requireSignIn,
  component: Account,
});

function Account() {
  const { viewer } = Route.useRouteContext();
  return (
    <Page width="text">
      <PageTitle>Account settings</PageTitle>
      <PageHead
        title="Account settings"
        text="Your name, how you sign in, and your data."
        aside={
          <LinkButton to={viewer.isAdmin ? "/admin/dashboard" : "/profile"} variant="default">
            {viewer.isAdmin ? "Dashboard" : "My Profile"}
          </LinkButton>
        }
      />
      <AccountSettings>
        <GoogleIdentity email={viewer.email} />
        {viewer.isAdmin && <TwoFactorCard />}
        <EmailPreferences />
        <SavedSearches />
        <AgreementsCard />
      </AccountSettings>
    </Page>
  );
}
