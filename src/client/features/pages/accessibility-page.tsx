import { useSite } from "#client/lib/site.ts";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { DocPage, type DocSection } from "./doc-page.tsx";

const sections: DocSection[] = [
  {
    id: "aim",
    title: "What we aim for",
    content: (
      <p>
        Everybody should be able to choose a farm, pay and follow it: with a keyboard, with a screen reader, with
        enlarged text, in bright sun, on a small phone with a weak signal. We build to the Web Content Accessibility
        Guidelines (WCAG) 2.2, level AA. This is our own aim and our own testing; nobody has certified it.
      </p>
    ),
  },
  {
    id: "what-works",
    title: "What you can rely on",
    content: (
      <ul>
        <li>
          Every page works with the keyboard alone, and you always see where you are. The first stop skips to the
          content.
        </li>
        <li>Headings, lists, forms and tables say to screen readers what they are; what changes is read out.</li>
        <li>
          Text has a contrast of at least 4.5 to 1; amounts and statuses have more. A status is never told by colour
          alone.
        </li>
        <li>There is a light and a dark scheme. We follow your device until you choose.</li>
        <li>If your device asks for less movement, nothing moves.</li>
        <li>
          Pages fit a screen 360 pixels wide without scrolling sideways, so you can also enlarge them a lot on a
          computer.
        </li>
        <li>Before a session ends you are warned and can stay. What you have typed survives an error.</li>
      </ul>
    ),
  },
  {
    id: "limits",
    title: "What doesn't work well yet",
    content: (
      <ul>
        <li>
          Videos and live streams from farms come without captions and audio descriptions. The weekly report says the
          same in words.
        </li>
        <li>
          Descriptions of photos are written by the people who upload them. Some are short, and some are only a date.
        </li>
        <li>The players of YouTube, Vimeo and Facebook are made by those companies; we can't change how they work.</li>
        <li>The check that you are human is a small sum to type. If it stops you, write to us instead.</li>
      </ul>
    ),
  },
  {
    id: "testing",
    title: "How we test",
    content: (
      <p>
        Our automatic tests check pages in both colour schemes with axe-core and at the width of a small phone, and walk
        through the main paths with the keyboard. Tests by program find only a part of all barriers, so please tell us
        about yours.
      </p>
    ),
  },
  {
    id: "tell-us",
    title: "Tell us",
    content: (
      <p>
        If something keeps you out, write to <SupportLink /> and say which page it was, what you wanted to do, and what
        you use to read the screen. We help you by email to do what you came for, and mend the page.
      </p>
    ),
  },
];

export function AccessibilityPage() {
  const site = useSite();
  return (
    <DocPage
      isLegal
      title="Accessibility"
      text={`How ${site.name} works for people who see, hear, move or read differently, and where it doesn't yet.`}
      sections={sections}
    />
  );
}
