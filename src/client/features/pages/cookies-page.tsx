import { Link } from "@tanstack/react-router";
import { useSite } from "#client/lib/site.ts";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { cookies, localNames, type StoredName, tabNames } from "#shared/site/stored-names.ts";
import classes from "./doc-page.module.css";
import { DocPage, type DocSection } from "./doc-page.tsx";

function StoredList({ names }: { names: readonly StoredName[] }) {
  return (
    <dl className={classes.list}>
      {names.map(({ name, purpose, kept }) => (
        <div key={name} className={classes.item}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{purpose}</dd>
          <dd className={classes.kept}>Kept: {kept}</dd>
        </div>
      ))}
    </dl>
  );
}

const sections: DocSection[] = [
  {
    id: "what",
    title: "What cookies are",
    content: (
      <p>
        A cookie is a small text that a site asks your browser to keep and to send back with the next request. Your
        browser also has storage that only pages of the same site can read and that is never sent by itself. We list
        both here.
      </p>
    ),
  },
  {
    id: "cookies",
    title: "The cookies that we set",
    content: (
      <>
        <p>
          All of them are needed for what you ask for: signing in and sending forms safely. No script can read them, and
          over a secure connection their names begin with <code>__Host-</code>. If you only look around, none is set; a
          page with a form sets the form's own when you open it.
        </p>
        <StoredList names={cookies} />
      </>
    ),
  },
  {
    id: "storage",
    title: "What your browser keeps for us",
    content: (
      <>
        <p>These stay in your browser:</p>
        <StoredList names={localNames} />
        <h3>For one tab only</h3>
        <StoredList names={tabNames} />
      </>
    ),
  },
  {
    id: "others",
    title: "Videos and pictures from elsewhere",
    content: (
      <>
        <p>
          A project's videos and live streams may be kept by YouTube, Vimeo or Facebook. Nothing is fetched from them
          before you press play. Then your browser talks to that company, which learns your IP address and may use
          cookies of its own under its own rules. YouTube's player comes from <code>youtube-nocookie.com</code>, the
          address that YouTube offers for players with less tracking.
        </p>
        <p>
          A project's picture, video or live stream may also come from another address. The site that holds it then sees
          your IP address, as with any picture on the web.
        </p>
      </>
    ),
  },
  {
    id: "not",
    title: "What we don't use",
    content: (
      <p>
        We use no advertising cookies, no analytics, no tracking pixels and no social media buttons, and we don't follow
        you from site to site. That is why you see no cookie banner here: there is nothing that we would have to ask you
        about.
      </p>
    ),
  },
  {
    id: "control",
    title: "Your choice",
    content: (
      <>
        <p>
          You can delete or block cookies and site data in the settings of your browser. Without them you can still look
          at every public page, but you can't sign in, back a project or send a form.
        </p>
        <p>
          How we handle personal data beyond cookies is explained in our <Link to="/privacy">privacy policy</Link>.
          Questions: <SupportLink />.
        </p>
      </>
    ),
  },
];

export function CookiesPage() {
  const site = useSite();
  return (
    <DocPage
      isLegal
      title="Cookie Policy"
      text={`Everything that ${site.name} keeps in your browser, by name.`}
      summary={
        <Notice tone="neutral" title="In short">
          <p>Only cookies that signing in and forms need. No advertising, no analytics, nobody follows you.</p>
        </Notice>
      }
      sections={sections}
    />
  );
}
