import { Button, type ButtonProps } from "@mantine/core";
import { createLink, type LinkComponent } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

type AnchorButtonProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> &
  ButtonProps & { ref?: Ref<HTMLAnchorElement> };

function AnchorButton(props: AnchorButtonProps) {
  return <Button component="a" {...props} />;
}

const CreatedLinkButton = createLink(AnchorButton);

/** A link that looks like a button, with the router's types: `<LinkButton to="/project/$id" params={{ id: "7" }}>`. */
export const LinkButton: LinkComponent<typeof AnchorButton> = (props) => <CreatedLinkButton {...props} />;
