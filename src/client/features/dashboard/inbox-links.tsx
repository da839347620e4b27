import { IconMail, IconUsers } from "@tabler/icons-react";
import { can, useViewer } from "#client/lib/session/session.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";

/** The ways to what visitors have sent, for those who may read it. The header has the rest. */
export function InboxLinks() {
  const viewer = useViewer();
  if (!can(viewer, "users:manage")) return null;
  return (
    <ButtonRow>
      <LinkButton to="/admin/applicants" variant="default" leftSection={<IconUsers size={18} aria-hidden="true" />}>
        Job Applicants
      </LinkButton>
      <LinkButton to="/admin/messages" variant="default" leftSection={<IconMail size={18} aria-hidden="true" />}>
        Messages
      </LinkButton>
    </ButtonRow>
  );
}
