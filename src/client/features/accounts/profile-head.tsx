import { Button } from "@mantine/core";
import { IconLogout, IconPlant2, IconSettings } from "@tabler/icons-react";
import { useSignOut } from "#client/lib/session/session.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";

/** `hasFarm`: the person works for a farm. */
export function ProfileHead({ email, hasFarm }: { email: string; hasFarm: boolean }) {
  const { signOut, isPending } = useSignOut();
  return (
    <PageHead
      title="My Profile"
      text={email}
      aside={
        <ButtonRow>
          {hasFarm && (
            <LinkButton to="/farm" leftSection={<IconPlant2 size={18} aria-hidden="true" />}>
              My farms
            </LinkButton>
          )}
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
