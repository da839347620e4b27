import { Button, Divider } from "@mantine/core";
import { IconBrandGoogle } from "@tabler/icons-react";
import { useId } from "react";
import { authTexts } from "#shared/auth.ts";
import classes from "./auth-card.module.css";

/** The way in by Google, which this site has not configured: the button says why it can't be used. */
export function GoogleButton({ label }: { label: string }) {
  const reasonId = useId();
  return (
    <>
      <Button
        className={classes.google}
        fullWidth
        variant="default"
        disabled
        leftSection={<IconBrandGoogle size={18} aria-hidden="true" />}
        aria-describedby={reasonId}
      >
        {label}
      </Button>
      <p className={classes.reason} id={reasonId}>
        {authTexts.googleNotConfigured}
      </p>
      <Divider my="lg" label="Or continue with email" />
    </>
  );
}
