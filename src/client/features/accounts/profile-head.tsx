import { Button } from "@mantine/core";
import { IconLogout, IconSettings } from "@tabler/icons-react";
import { useSignOut } from "#client/lib/session/session.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

export function ProfileHead({ email }: { email: string }) {
  const { signOut, isPending } = useSignOut();
  return (
    <PageHead
      title="My Profile"
      text={email}
      aside={
        <ButtonRow>
          <LinkButton
            to="/profile/account"
            variant="default"
            leftSection={<IconSettings size={18} aria-hidden="true" />}
          >
            Account settings
          </LinkButton>
          <Button variant="default" leftSection={<IconLogout size={18} />} loading={isPending} onClick={signOut}>
            Log Out
          </Button>
        </ButtonRow>
      }
    />
  );
}
