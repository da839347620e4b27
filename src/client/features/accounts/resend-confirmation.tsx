import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { authTexts } from "#shared/accounts/inputs.ts";

/** Asks for a new confirmation link. The answer is the same for every address. */
export function ResendConfirmation({ email, label = "Send the link again" }: { email: string; label?: string }) {
  const resend = trpc.auth.resendConfirmation.useMutation({
    onSuccess: () => toast.success("Link sent", authTexts.confirmationResent),
    onError: (error) => toast.error("The link was not sent", errorText(error)),
  });
  return (
    <Button mt="sm" size="sm" variant="default" loading={resend.isPending} onClick={() => resend.mutate({ email })}>
      {label}
    </Button>
  );
}
