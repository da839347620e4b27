import { Link } from "@tanstack/react-router";
import { useSite } from "#client/lib/site.ts";
import { SupportLink } from "#client/shared-parts/support-link.tsx";
import { DocPage, type DocSection } from "./doc-page.tsx";
import { Figure } from "./prose.tsx";

const sections: DocSection[] = [
  {
    id: "how-to-propose",
    title: "How a farm comes to be a project",
    content: (
      <>
        <p>
          Projects are created by our administrators, together with the people who run the farm. You don't upload
          anything yourself.
        </p>
        <ol>
          <li>
            Write to us by the <Link to="/contact">contact form</Link> or <SupportLink />: who you are, where the farm
            is, what you grow or keep, and since when.
          </li>
          <li>We talk, and we want to see the farm and your records before anything is published.</li>
          <li>
            Together we write the project page with its costs, its harvest and its risks. You read it before it opens.
          </li>
          <li>The project closes when its last lot is approved. Once it is funded, the weekly reports begin.</li>
        </ol>
      </>
    ),
  },
  {
    id: "what-we-look-for",
    title: "What we look for",
    content: (
      <ul>
        <li>
          At least one full season of work behind you, with records of what it cost and brought, also the bad months.
        </li>
        <li>Land or buildings that you own, or a written right to use them for longer than the project runs.</li>
        <li>One clear lot: these pens, this pond, this hectare. A backer must be able to point at it.</li>
        <li>Somebody with a phone who reports every week.</li>
        <li>Buyers, or a market, that you have sold to before.</li>
      </ul>
    ),
  },
  {
    id: "money",
    title: "What it costs, and when the money comes",
    content: (
      <p>
        Being listed costs nothing. Once a project is funded, what backers paid for it goes to the farm's own bank
        account. Our fee, <Figure of="fee" /> for new projects, comes off what sales of the harvest bring to backers.
      </p>
    ),
  },
  {
    id: "project-page",
    title: "The four parts of a project page",
    content: (
      <>
        <h3>Who runs the farm</h3>
        <p>Names, place, size, years. What you have kept and sold until now, in figures.</p>
        <h3>What the money buys</h3>
        <p>
          A list of items with number, price and sum. The sums add up to the goal. Keep a little aside for prices that
          rise.
        </p>
        <h3>What happens at harvest</h3>
        <p>
          When it is, what a good and a poor harvest look like, what is due to the backer, where it can be collected.
        </p>
        <h3>What can go wrong</h3>
        <p>Three to five risks, and for each what you do against it. A page without risks is not believed.</p>
      </>
    ),
  },
  {
    id: "weekly-report",
    title: "A weekly report in ten minutes",
    content: (
      <>
        <p>Short is fine. Four lines are enough:</p>
        <ul>
          <li>
            <strong>Counted:</strong> how many, how heavy, how high. The same measure each week.
          </li>
          <li>
            <strong>Done:</strong> what was fed, planted, mended, sold, and what it cost.
          </li>
          <li>
            <strong>Gone wrong:</strong> deaths, theft, weather. With the number, on the day it happened if it is
            serious.
          </li>
          <li>
            <strong>Next:</strong> what is planned for the coming week.
          </li>
        </ul>
        <p>
          An example: "Counted 482 fish in pond 3, on average 310 g. Fed 96 kg. Lost 11 fish after the power cut on
          Tuesday; the pump has a second battery now. Next week we sort by size."
        </p>
      </>
    ),
  },
  {
    id: "photos",
    title: "Photos and videos that help",
    content: (
      <ul>
        <li>Take one photo each week from the same spot. Growth shows by itself.</li>
        <li>Morning or late afternoon light, the sun behind you, the lens wiped clean.</li>
        <li>Something for scale: a hand, a bucket, a ruler.</li>
        <li>Ask people before you photograph them, and don't show children's faces.</li>
        <li>Photos as JPEG, PNG or WebP up to 10 MB, videos as MP4 or WebM up to 200 MB. Half a minute says enough.</li>
        <li>Say in a few words what the picture shows, for people who can't see it.</li>
      </ul>
    ),
  },
  {
    id: "harvest",
    title: "At harvest",
    content: (
      <>
        <p>
          Tell us two weeks ahead. When you have weighed or counted, in front of a camera, send us the figure and the
          photos: below nine tenths of the plan we need a reason and a photo. Backers then have the days of the harvest
          terms to choose what to do with their share, so plan for produce that keeps as long.
        </p>
        <p>
          Afterwards you know how much is collected and how much is sold. Hand produce over only when our team has
          checked the backer's code. Send us the buyers' slips, and a receipt for each cost that the harvest terms name:
          what isn't shown isn't taken off.
        </p>
      </>
    ),
  },
];

export function CreatorResourcesPage() {
  const site = useSite();
  return (
    <DocPage
      title="Creator Resources"
      text={`For people who run farms and would like to open a project on ${site.name}.`}
      sections={sections}
    />
  );
}
