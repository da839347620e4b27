import { useEffect, useRef } from "react";
import { errorText } from "#client/lib/errors.ts";
import { takeLink } from "#client/lib/mailed-link.ts";
import { useViewer } from "#client/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/error-state.tsx";
import { LinkButton } from "#client/ui/link-button.tsx";
import { SectionCard } from "#client/ui/section-card.tsx";
import { Loading, SkeletonText } from "#client/ui/skeleton.tsx";

/** Uses the link that was mailed to the new address, at once and only once. */
export function ConfirmEmailChange() {
  const utils = trpc.useUtils();
  const viewer = useViewer();
  const { mutate, data, error } = trpc.users.confirmEmailChange.useMutation({
    onSuccess: () => Promise.all([utils.auth.viewer.invalidate(), utils.users.account.invalidate()]),
  });
  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    mutate({ token: takeLink()?.token ?? "" });
  }, [mutate]);

  const next = viewer ? (
    <LinkButton to="/profile/account">Go to my account</LinkButton>
  ) : (
    <LinkButton to="/login">Sign In</LinkButton>
  );
  if (error) return <ErrorState level={1} title="This link did not work" text={errorText(error)} action={next} />;
  if (!data) {
    return (
      <Loading label="Changing your email">
        <SkeletonText lines={2} />
      </Loading>
    );
  }
  return (
    <SectionCard
      title="Email changed"
      level={1}
      text={
        <>
          From now on you sign in with <strong>{data.email}</strong>, and we write to it.
        </>
      }
    >
      {next}
    </SectionCard>
  );
}
