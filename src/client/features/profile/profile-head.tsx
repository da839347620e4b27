import { Button } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";
import { useSignOut } from "#client/lib/session.ts";
import { PageHead } from "#client/ui/page-head.tsx";

export function ProfileHead({ email }: { email: string }) {
  const { signOut, isPending } = useSignOut();
  return (
    <PageHead
      title="My Profile"
      text={email}
      aside={
        <Button variant="default" leftSection={<IconLogout size={18} />} loading={isPending} onClick={signOut}>
          Log Out
        </Button>
      }
    />
  );
}
