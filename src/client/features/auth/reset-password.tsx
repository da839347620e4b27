import { useEffect, useRef, useState } from "react";
import { takeLink } from "#client/lib/mailed-link.ts";
import { useForgetSession } from "#client/lib/session/forget-session.ts";
import { useLeaveSession } from "#client/lib/session/session.ts";
import { toast } from "#client/lib/toast.ts";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { authTexts } from "#shared/auth.ts";
import { AuthCard } from "./auth-card.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";

/** Between the success and the sign-in page (Product decision). */
const LEAVE_AFTER_MS = 1000;

/** The page of a mailed reset link: a new password, and then the sign-in page. */
export function ResetPassword() {
  const [token, setToken] = useState<string | null>();
  const [isInvalid, setIsInvalid] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const forgetSession = useForgetSession();
  const leave = useLeaveSession();

  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    const link = takeLink();
    setToken(link?.type === "recovery" ? link.token : null);
  }, []);

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void leave("/login"), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDone, leave]);

  if (token === null || isInvalid) {
    return (
      <ErrorState
        level={1}
        title={authTexts.resetInvalidTitle}
        text={authTexts.resetInvalid}
        action={<LinkButton to="/forgot-password">Try Again</LinkButton>}
      />
    );
  }
  if (token === undefined) {
    return (
      <Loading label="Opening your reset link">
        <SkeletonText lines={3} />
      </Loading>
    );
  }
  if (isDone) return <AuthCard title="All set" text="We are taking you to the sign-in page." />;
  const finish = () => {
    toast.success(authTexts.resetDoneTitle, authTexts.resetDone);
    forgetSession();
    setIsDone(true);
  };
  return (
    <AuthCard title="Choose a new password" text="You will be signed out everywhere and can sign in with it.">
      <NewPasswordForm token={token} onReset={finish} onInvalid={() => setIsInvalid(true)} />
    </AuthCard>
  );
}
