import { expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { formatDate } from "#shared/dates.ts";
import { findingTexts } from "#shared/reports/texts.ts";
import {
  type Answers,
  alerts,
  fitsPhone,
  openScreen,
  owner,
  press,
  refusal,
  says,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { backedProject, createdAt, noReports } from "#tests/support/screen-samples.ts";

/** The queue of a farm's reports, as who may publish them sees it. */

type Report = RouterOutputs["reports"]["list"]["items"][number];
type Finding = Report["photos"][number]["findings"][number];

const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const photo = (at: number, findings: Finding[] = []): Report["photos"][number] => ({
  photoKey: `00000000-0000-4000-8000-00000000000${at}`,
  url: `${pixel}#${at}`,
  altText: "",
  width: 600,
  height: 400,
  at: createdAt,
  takenAt: null,
  findings,
});
const alike: Finding = {
  id: 5,
  kind: "alike",
  verdict: null,
  other: { url: `${pixel}#other`, projectTitle: "Snail farm", at: createdAt, takenAt: null },
};
const waiting: Report = {
  id: 9,
  round: 1,
  number: 3,
  dueAt: createdAt,
  code: "7K3P",
  content: "All pens are clean.",
  farmNote: "Twelve were sold at the gate.",
  sentAt: createdAt,
  publishedAt: null,
  isCodeSeen: false,
  excuse: null,
  sentBackAt: null,
  sentBackNote: null,
  state: "sent",
  figures: [
    { key: "alive", label: "Birds alive", unit: "birds", kind: "stock", value: 480_000n },
    { key: "spent", label: "Money spent", unit: "", kind: "money", value: 12_500_000n },
  ],
  questions: ["Feed of 3 kg a bird and day is far more than birds eat."],
  photos: [photo(1), photo(2)],
  asks: 0,
};
const late: Report = {
  ...waiting,
  id: 8,
  number: 2,
  state: "late",
  sentAt: null,
  questions: [],
  figures: [],
  photos: [],
  asks: 2,
};

const filled: Answers = {
  ...owner,
  "backings.project": backedProject,
  "updates.list": { items: [], total: 0 },
  "roundReturns.ofProject": [],
  ...noReports,
  "farmReleases.ofProject": { rounds: [], farms: [], releases: [] },
};
const open = (items: Report[], given: Answers = {}) =>
  openScreen("/admin/project/1", { ...filled, "reports.list": { items, total: items.length }, ...given });
const report = page.getByRole("article", { name: "Report 3" });
const publish = report.getByRole("button", { name: "Publish report" });
const codeTick = report.getByLabelText("The code 7K3P is in a photo");

test("before a round is funded no report is asked for; while reports load they are waited for, and a failure is tried again", async () => {
  let deliver = (): void => {};
  const { answers, reload } = await open([], {
    "reports.list": () =>
      new Promise((resolve) => {
        deliver = () => resolve({ items: [], total: 0 });
      }),
  });
  await expect.element(page.getByRole("status", { name: "Loading reports" })).toBeInTheDocument();
  deliver();
  await says("The first report is asked for once the round is funded.");
  answers["reports.list"] = serverFault;
  await reload();
  await says("The farm's reports could not be loaded.");
  answers["reports.list"] = { items: [waiting], total: 1 };
  await press("Try again");
  await expect.element(report).toBeVisible();
});

test("a report that waits shows what the farm sent and what looks wrong, and goes out with the code's tick", async () => {
  const { answers, sentTo } = await open([waiting, late], { "reports.publish": undefined });
  await expect.element(report.getByText("480 birds")).toBeVisible();
  await expect.element(report.getByText("₦125,000")).toBeVisible();
  await expect.element(report.getByText(/Twelve were sold at the gate/)).toBeVisible();
  await expect.element(report.getByText(waiting.questions[0] ?? "")).toBeVisible();
  await expect
    .element(report.getByRole("button", { name: /^Photo 2 of 2 of the report of .*, opens large$/ }))
    .toBeVisible();
  await expect.element(page.getByRole("list", { name: "All reports" }).getByText(/2 backers ask for it/)).toBeVisible();
  await fitsPhone();
  await codeTick.click();
  answers["reports.list"] = { items: [late], total: 1 };
  await publish.click();
  await tells("Report 3 is published. Its backers are told.");
  expect(sentTo("reports.publish")).toEqual([{ reportId: 9, isCodeSeen: true }]);
  await expect.element(report).not.toBeInTheDocument();
});

test("a report without photos has no code to tick, and one that can't be published stays", async () => {
  await open([{ ...waiting, photos: [] }], { "reports.publish": serverFault });
  await expect.element(publish).toBeVisible();
  await expect.element(codeTick).not.toBeInTheDocument();
  await publish.click();
  await alerts("This didn't work.");
  await expect.element(publish).toBeEnabled();
});

test("two photos that look alike are shown whole, with what is known of each: side by side, on a phone one above the other", async () => {
  const takenAt = new Date("2025-03-01T08:00:00Z");
  const ours = { ...photo(1, [{ ...alike, other: alike.other && { ...alike.other, takenAt } }]), at: createdAt };
  await open([{ ...waiting, photos: [ours] }]);
  const finding = report.getByRole("region", { name: `Photo 1: ${findingTexts.alike.title}` });
  const figures = finding.getByRole("figure");
  await expect.element(figures.nth(0)).toHaveTextContent(`This report, ${formatDate(createdAt)}`);
  const other = `Snail farm, ${formatDate(createdAt)}Its camera says 1 Mar 2025.`;
  await expect.element(figures.nth(1)).toHaveTextContent(other);
  for (const picture of finding.element().querySelectorAll("img"))
    expect(getComputedStyle(picture).objectFit).toBe("contain");
  const { innerWidth, innerHeight } = window;
  onTestFinished(() => page.viewport(innerWidth, innerHeight));
  const places = () => figures.elements().map((figure) => figure.getBoundingClientRect());
  await page.viewport(1280, 900);
  await expect.poll(() => new Set(places().map(({ top }) => top)).size).toBe(1);
  await page.viewport(360, 740);
  await expect.poll(() => new Set(places().map(({ left }) => left)).size).toBe(1);
  await fitsPhone();
});

test.each([
  ["old", new Date("2026-03-01T08:00:00Z"), /^Its camera says 1 Mar 2026\./],
  ["same_bytes", null, /^The other photo isn't kept any more\.$/],
] as const)("a finding (%s) without another photo says what is known", async (kind, takenAt, text) => {
  const found: Finding = { ...alike, kind, other: null };
  await open([{ ...waiting, photos: [{ ...photo(1, [found]), takenAt }] }]);
  await expect.element(report.getByText(text)).toBeVisible();
});

test("a finding is decided beside the other photo before the report can be published", async () => {
  const found = { ...waiting, photos: [photo(1), photo(2, [alike])] };
  const { answers, sentTo } = await open([found], { "reports.decideFinding": undefined });
  const finding = report.getByRole("region", { name: `Photo 2: ${findingTexts.alike.title}` });
  await expect.element(finding.getByText(/^Snail farm, /)).toBeVisible();
  await expect.element(report.getByText("Decide about the photos first, then publish it.")).toBeVisible();
  await expect.element(publish).toBeDisabled();
  const decided: Finding = { ...alike, verdict: "dismissed" };
  answers["reports.list"] = { items: [{ ...found, photos: [photo(1), photo(2, [decided])] }], total: 1 };
  await finding.getByRole("button", { name: "Not the same" }).click();
  await expect.element(finding.getByText("Decided: not the same photo.")).toBeVisible();
  await expect.element(finding.getByRole("button", { name: "Not the same" })).toHaveAttribute("aria-pressed", "true");
  await expect.element(publish).toBeEnabled();
  expect(sentTo("reports.decideFinding")).toEqual([{ findingId: 5, verdict: "dismissed" }]);
});

test("a report goes back with words that a failure keeps, and leaves the tick as it was where it is given up", async () => {
  const { answers, sentTo } = await open([waiting], {
    "reports.sendBack": refusal("conflict", 409, "This report is published."),
  });
  await codeTick.click();
  const back = report.getByRole("button", { name: "Send back…" });
  await back.click();
  const form = report.getByRole("form", { name: "Send back to the farm" });
  const reason = form.getByLabelText("Reason");
  await expect.element(reason).toHaveFocus();
  const send = form.getByRole("button", { name: "Send back" });
  await reason.fill("Too few");
  await send.click();
  await expect.element(form.getByText("Say what is wrong in at least 10 letters: the farm reads it")).toBeVisible();
  await reason.fill("The photo shows another farm's pen.");
  await send.click();
  await expect.element(form.getByRole("alert").getByText("This report is published.")).toBeVisible();
  await expect.element(reason).toHaveValue("The photo shows another farm's pen.");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect.element(back).toHaveFocus();
  await expect.element(codeTick).toBeChecked();
  await back.click();
  answers["reports.sendBack"] = undefined;
  await reason.fill("The photo shows another farm's pen.");
  answers["reports.list"] = { items: [{ ...late, number: 3, sentBackNote: "The photo shows…" }], total: 1 };
  await send.click();
  await tells("The farm is asked to send it again.");
  expect(sentTo("reports.sendBack")).toEqual([{ reportId: 9, reason: "The photo shows another farm's pen." }]);
  await expect.element(page.getByText(/sent back: The photo shows…/)).toBeVisible();
});

test("who may only view reads the queue and decides nothing", async () => {
  const ownerViewer = owner["auth.viewer"] as Extract<Answers["auth.viewer"], { permissions: unknown }>;
  const viewer = { ...ownerViewer, permissions: ["projects:view" as const] };
  await open([{ ...waiting, photos: [photo(1, [alike])] }, late], { "auth.viewer": viewer });
  await expect.element(report.getByText("All pens are clean.")).toBeVisible();
  await expect.element(report.getByRole("region", { name: /^Photo 1: / })).toBeVisible();
  expect(page.getByRole("button", { name: /Publish|Send back|same|Excuse|Change plan/ }).elements()).toEqual([]);
  await expect.element(codeTick).not.toBeInTheDocument();
});
