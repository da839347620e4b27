import { Button } from "@mantine/core";
import { IconBrandFacebook, IconBrandWhatsapp, IconBrandX, IconShare2 } from "@tabler/icons-react";
import { useHydrated, useRouter } from "@tanstack/react-router";
import { CopyButton } from "#client/ui/feedback/copy-button.tsx";
import { brand } from "#shared/brand.ts";
import { projectHeading } from "#shared/project-texts.ts";
import classes from "./share-project.module.css";

type Shared = { id: number; title: string; isClosed: boolean };

/** Plain links: nothing of those sites is loaded, and they learn nothing until somebody goes there. */
function waysToShare(text: string, url: string) {
  const part = encodeURIComponent;
  return [
    { name: "WhatsApp", Icon: IconBrandWhatsapp, href: `https://wa.me/?text=${part(`${text} ${url}`)}` },
    { name: "Facebook", Icon: IconBrandFacebook, href: `https://www.facebook.com/sharer/sharer.php?u=${part(url)}` },
    { name: "X", Icon: IconBrandX, href: `https://x.com/intent/post?text=${part(text)}&url=${part(url)}` },
  ];
}

/** Sends a project's one address on, without tabs or anything else that the address bar may hold. */
export function ShareProject({ project }: { project: Shared }) {
  const url = `${useRouter().origin}/project/${project.id}`;
  const isInBrowser = useHydrated();
  const title = projectHeading(project);
  const [whatsApp, ...others] = waysToShare(`${title} on ${brand.name}:`, url).map(({ name, Icon, href }) => (
    <Button
      key={name}
      component="a"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      variant="default"
      fullWidth
      leftSection={<Icon size={18} stroke={1.75} aria-hidden="true" />}
    >
      {name}
      <span className="visually-hidden">, opens in a new tab</span>
    </Button>
  ));
  const share = () => {
    // Closing the sheet without choosing is no failure, and what it opens reports its own.
    navigator.share({ title, text: `${title} on ${brand.name}`, url }).catch(() => undefined);
  };
  return (
    <section className={classes.share} aria-labelledby="share-project">
      <h2 id="share-project" className={classes.title}>
        Share this project
      </h2>
      {whatsApp}
      <CopyButton text={url} what="link" isNamed fullWidth />
      {others}
      {isInBrowser && "share" in navigator && (
        <div className={classes.more}>
          <Button
            variant="default"
            fullWidth
            leftSection={<IconShare2 size={18} stroke={1.75} aria-hidden="true" />}
            onClick={share}
          >
            Share with an app
          </Button>
        </div>
      )}
    </section>
  );
}
