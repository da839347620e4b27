import "@mantine/core/styles/Divider.layer.css";
import { Button, Divider } from "@mantine/core";
import { IconBrandGoogle } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId } from "react";
import { toast } from "#client/lib/toast.ts";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { type GoogleFault, googleTexts } from "#shared/accounts/google-texts.ts";
import { authTexts } from "#shared/accounts/inputs.ts";
import { errorTexts } from "#shared/errors.ts";
import classes from "./auth-card.module.css";

type GoogleButtonProps = {
  label: string;
  door: "public" | "admin";
  purpose: "sign-in" | "sign-up";
  /** A path of ours to go to afterwards. */
  next?: string | undefined;
  isDisabled?: boolean;
  /** The way in by email. */
  children: ReactNode;
};

/**
 * The way in by Google above the one by email: a plain link, since the page's policy lets no form go to another site.
 * Where the site has not configured it, it stands below, disabled, and says why.
 */
export function GoogleButton({ label, door, purpose, next, isDisabled = false, children }: GoogleButtonProps) {
  const reasonId = useId();
  const isConfigured = useRouter().options.context.site.hasGoogleSignIn;
  useEffect(() => notifyFault(takeFault(), purpose), [purpose]);

  const look = {
    fullWidth: true,
    variant: "default",
    leftSection: <IconBrandGoogle size={18} aria-hidden="true" />,
  };
  if (!isConfigured) {
    return (
      <>
        {children}
        <Divider my="lg" label="Or" />
        <Button {...look} className={classes.google} disabled aria-describedby={reasonId}>
          {label}
        </Button>
        <p className={classes.reason} id={reasonId}>
          {authTexts.googleNotConfigured}
        </p>
      </>
    );
  }
  return (
    <>
      {isDisabled ? (
        <Button {...look} className={classes.google} disabled>
          {label}
        </Button>
      ) : (
        <Button {...look} component="a" href={startAddress({ door, purpose, next })}>
          {label}
        </Button>
      )}
      {door === "public" && (
        <p className={classes.reason}>
          A new account agrees to the{" "}
          <TextLink to="/terms" target="_blank" inherit>
            terms of service
          </TextLink>
          .
        </p>
      )}
      <Divider my="lg" label="Or continue with email" />
      {children}
    </>
  );
}

function startAddress({ door, purpose, next }: Pick<GoogleButtonProps, "door" | "purpose" | "next">): string {
  const query = new URLSearchParams({ kind: door === "admin" ? "admin" : "backer", purpose });
  if (next) query.set("next", next);
  return `/auth/google/start?${query}`;
}

/**
 * Returns the fault that the server left in the address when it could not even begin, and takes it out of the address.
 */
function takeFault(): GoogleFault | null {
  const { hash, pathname, search } = window.location;
  const [, fault] = /^#google=(failed|limited)$/.exec(hash) ?? [];
  if (fault) window.history.replaceState(window.history.state, "", pathname + search);
  return fault === "failed" || fault === "limited" ? fault : null;
}

function notifyFault(fault: GoogleFault | null, purpose: GoogleButtonProps["purpose"]) {
  const failed = purpose === "sign-up" ? googleTexts.signUpFailed : googleTexts.signInFailed;
  if (fault === "failed") toast.error(failed);
  if (fault === "limited") toast.error(failed, errorTexts.rateLimited);
}
