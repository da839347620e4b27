import { useAdminFlag } from "#client/lib/session/admin-flag.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import classes from "./header.module.css";

/** Dashboard where the admin flag is stored, else Profile when signed in, or Login and Sign Up. */
export function AccountLinks({ isStacked = false }: { isStacked?: boolean }) {
  const isAdmin = useAdminFlag();
  const { data: viewer, isPending } = trpc.auth.viewer.useQuery();
  const size = isStacked ? "md" : "sm";
  return (
    <div className={classes.account} data-stacked={isStacked || undefined}>
      {isAdmin ? (
        <LinkButton to="/admin/dashboard" size={size} preload={false}>
          Dashboard
        </LinkButton>
      ) : viewer ? (
        <LinkButton to="/profile" size={size}>
          Profile
        </LinkButton>
      ) : (
        // Held back until the server has said who this is, so that nobody signed in sees "Login" flash by.
        <div className={classes.account} data-stacked={isStacked || undefined} data-waiting={isPending || undefined}>
          <LinkButton to="/login" size={size} variant="default">
            Login
          </LinkButton>
          <LinkButton to="/signup" size={size}>
            Sign Up
          </LinkButton>
        </div>
      )}
    </div>
  );
}
