import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { resetLinkMinutes } from "#shared/auth.ts";
import classes from "./auth-card.module.css";

/**
 * The way out for whoever does not know the password, or never chose one: a stranger may have made the account. A reset
 * takes the password and every session that it had before.
 */
export function ResetInstead({ email }: { email: string }) {
  const request = trpc.auth.requestPasswordReset.useMutation();
  return (
    <div className={classes.otherWay}>
      <h2 className={classes.stepTitle}>You don't know the password?</h2>
      <p className={classes.stepText}>
        If you forgot it, or somebody else made the account, choose a new one. The old password then stops working, and
        whoever is signed in is signed out. If you want no account, just close this page.
      </p>
      {request.isSuccess ? (
        <p className={classes.told} role="status">
          We have sent a link to <strong>{email}</strong>. Open it within {resetLinkMinutes} minutes.
        </p>
      ) : (
        <Button
          mt="sm"
          size="sm"
          variant="default"
          loading={request.isPending}
          onClick={() => request.mutate({ email })}
        >
          Send me a link for a new password
        </Button>
      )}
      {request.error && (
        <p className={classes.fault} role="alert">
          {errorText(request.error)}
        </p>
      )}
    </div>
  );
}
