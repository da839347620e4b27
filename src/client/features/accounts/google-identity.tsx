import { Button } from "@mantine/core";
import { IconBrandGoogle } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { googleTexts } from "#shared/accounts/google-texts.ts";
import { formatDate } from "#shared/dates.ts";
import classes from "./account.module.css";
import { ResendConfirmation } from "./resend-confirmation.tsx";

type Identities = RouterOutputs["auth"]["identities"];

/** In the account settings: whether Google is a way into this account, and the button that changes it. */
export function GoogleIdentity({ email }: { email: string }) {
  const { hasGoogleSignIn } = useRouter().options.context.site;
  const query = trpc.auth.identities.useQuery(undefined, { staleTime: 0 });
  const { data, error } = query;
  // Where the site has no Google and the account has none either, there is nothing to say.
  if (!hasGoogleSignIn && !data?.google) return null;
  return (
    <SectionCard
      title="Sign in with Google"
      aside={
        data && (
          <StatusBadge tone={data.google ? "positive" : "neutral"}>{data.google ? "Linked" : "Not linked"}</StatusBadge>
        )
      }
    >
      {error && !data && <LoadFailed query={query} title="This could not be loaded" />}
      {!data && !error && (
        <Loading>
          <SkeletonText lines={2} />
        </Loading>
      )}
      {data?.google && <Linked google={data.google} hasPassword={data.hasPassword} />}
      {data && !data.google && <NotLinked email={email} isEmailVerified={data.isEmailVerified} />}
    </SectionCard>
  );
}

function NotLinked({ email, isEmailVerified }: { email: string } & Pick<Identities, "isEmailVerified">) {
  const link = trpc.auth.linkGoogle.useMutation({
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toast.error(googleTexts.linkFailed, errorText(error)),
  });
  if (!isEmailVerified) {
    return (
      <>
        <p>{googleTexts.confirmFirst}</p>
        <div>
          <ResendConfirmation email={email} label="Send me a link" />
        </div>
      </>
    );
  }
  return (
    <>
      <p className={classes.dimmed}>Link your Google account to sign in without a password.</p>
      <Button
        className={classes.googleAction}
        variant="default"
        leftSection={<IconBrandGoogle size={18} aria-hidden="true" />}
        // The page is left for Google's: until then the button keeps waiting.
        loading={link.isPending || link.isSuccess}
        onClick={() => link.mutate()}
      >
        Link Google
      </Button>
    </>
  );
}

function Linked({
  google,
  hasPassword,
}: { google: NonNullable<Identities["google"]> } & Pick<Identities, "hasPassword">) {
  const utils = trpc.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const unlink = trpc.auth.unlinkGoogle.useMutation({
    onSuccess: async () => {
      await utils.auth.identities.invalidate();
      setIsAsking(false);
      toast.success("Google unlinked", "From now on you sign in with your password.");
    },
    onError: (error) => {
      setIsAsking(false);
      toast.error("Google was not unlinked", errorText(error));
    },
  });
  return (
    <>
      <p>
        You can sign in as <strong>{google.email}</strong>, linked on {formatDate(google.linkedAt)}.
      </p>
      {hasPassword ? (
        <Button className={classes.googleAction} variant="default" onClick={() => setIsAsking(true)}>
          Unlink Google
        </Button>
      ) : (
        <p className={classes.dimmed}>{googleTexts.passwordFirst}</p>
      )}
      <LazyConfirmDialog
        opened={isAsking}
        title="Unlink Google?"
        confirmLabel="Unlink Google"
        isPending={unlink.isPending}
        onConfirm={() => unlink.mutate()}
        onClose={() => setIsAsking(false)}
      >
        From then on you sign in with your email and password. You can link Google again at any time.
      </LazyConfirmDialog>
    </>
  );
}
