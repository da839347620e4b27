import { createFileRoute } from "@tanstack/react-router";
import { PageTitle } from "#client/app/shell/page-title.tsx";
import { FarmInvitation } from "#client/features/farms/farm-invitation.tsx";
import { Page } from "#client/ui/layout/page.tsx";

export const Route = createFileRoute("/farm/invitation")({
  component: InvitationPage,
});

function InvitationPage() {
  const navigate = Route.useNavigate();
  return (
    <Page width="form">
      <PageTitle>Invitation to a farm</PageTitle>
      <FarmInvitation onAccepted={() => void navigate({ to: "/farm", replace: true })} />
    </Page>
  );
}
