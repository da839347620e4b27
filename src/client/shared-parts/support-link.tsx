import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useSite } from "#client/lib/site.ts";

/** Where questions go, behind "Write to": the support address, or the contact form until the operator named one. */
export function SupportLink() {
  const { supportEmail } = useSite();
  if (supportEmail) return <Anchor href={`mailto:${supportEmail}`}>{supportEmail}</Anchor>;
  return (
    <>
      us through the <Anchor renderRoot={(props) => <Link {...props} to="/contact" />}>contact form</Anchor>
    </>
  );
}
