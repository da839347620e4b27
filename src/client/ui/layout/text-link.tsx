import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink, type LinkComponent } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

type RouterAnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> &
  AnchorProps & { ref?: Ref<HTMLAnchorElement> };

function RouterAnchor(props: RouterAnchorProps) {
  return <Anchor {...props} />;
}

const CreatedTextLink = createLink(RouterAnchor);

/** A link within text, with the router's types. */
export const TextLink: LinkComponent<typeof RouterAnchor> = (props) => <CreatedTextLink {...props} />;
