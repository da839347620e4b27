import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { mediaTexts } from "#shared/projects/media-texts.ts";
import { updateTexts } from "#shared/projects/updates-texts.ts";
import {
  type Answers,
  alerts,
  chooseFiles,
  dialog,
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

/** The photos of an update: in the form that it is written in, and in the list that everybody reads. */

const filled: Answers = {
  ...owner,
  "backings.project": backedProject,
  "updates.list": { items: [], total: 0 },
  "roundReturns.ofProject": [],
  ...noReports,
  "farmReleases.ofProject": { rounds: [], farms: [], releases: [] },
};
const path = "/admin/project/1";
const field = page.getByLabelText("Photos (optional)");
const rows = page.getByRole("list", { name: "Photos of the update" }).getByRole("listitem");
const title = page.getByLabelText(/^Update Title/);
const photo = (name: string, type = "image/png") => new File([name], name, { type });
const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

const nameOf = ({ form }: { form: FormData }) => (form.get("file") as File).name;

async function open(answers: Answers = {}) {
  const screen = await openScreen(path, { ...filled, "updates.publish": { updateId: 1 }, ...answers });
  const sentAs = (name: string) => {
    const upload = screen.uploads.findLast((upload) => nameOf(upload) === name);
    if (!upload) throw new Error(`${name} was not sent`);
    return upload;
  };
  return {
    ...screen,
    sentAs,
    keyOf: (name: string) => String(sentAs(name).form.get("photoKey")),
    /** The server keeps a photo, once it was sent. */
    arrive: async (name: string) => {
      await expect
        .poll(() => screen.uploads.some((upload) => nameOf(upload) === name && upload.status === 0))
        .toBe(true);
      sentAs(name).answer(200, { url: pixel });
    },
  };
}

async function write(...names: string[]) {
  await title.fill("Week one");
  await page.getByLabelText(/^Content/).fill("The ponds are full.");
  await chooseFiles(field, ...names.map((name) => photo(name)));
}

test("photos are sent while the update is written, and published in their order with what they show", async () => {
  const { uploads, sentAs, keyOf, arrive, sentTo } = await open();
  await write("pond.png", "pen.png", "feed.png");
  await expect.poll(() => uploads.length).toBe(2);
  expect(uploads[0]?.path).toBe("/uploads/update-photos");
  sentAs("pond.png").reach(40);
  await expect.element(rows.first().getByText("Uploading, 40%")).toBeVisible();
  await expect.element(rows.nth(2).getByText("Waiting")).toBeVisible();
  for (const name of ["pond.png", "pen.png"]) await arrive(name);
  await expect.poll(() => uploads.length).toBe(3);
  await rows.nth(1).getByLabelText("What the photo shows (optional)").fill("The new pen");
  await press("Move photo 2 up");
  await expect.element(page.getByText("Photo 2 is now photo 1")).toBeInTheDocument();
  // Pressed before the last one has arrived, it waits.
  await press("Publish Update");
  expect(sentTo("updates.publish")).toEqual([]);
  await arrive("feed.png");
  await tells("Update added successfully");
  expect(sentTo("updates.publish")).toMatchObject([
    {
      title: "Week one",
      photos: [
        { photoKey: keyOf("pen.png"), altText: "The new pen" },
        { photoKey: keyOf("pond.png"), altText: "" },
        { photoKey: keyOf("feed.png"), altText: "" },
      ],
    },
  ]);
  await expect.element(rows.first()).not.toBeInTheDocument();
});

test("the keyboard moves photos and stays with the one that it moves, on a phone too", async () => {
  const { arrive } = await open();
  await write("pond.png", "pen.png");
  await expect.poll(() => rows.elements().length).toBe(2);
  for (const name of ["pond.png", "pen.png"]) await arrive(name);
  const down = page.getByRole("button", { name: "Move photo 1 down" });
  (down.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const moved = page.getByRole("button", { name: "Move photo 2 down" });
  await expect.element(moved).toHaveFocus();
  await expect.element(moved).toHaveAttribute("aria-disabled", "true");
  await userEvent.keyboard("{Enter}");
  await expect.element(rows.first().getByText("pen.png")).toBeVisible();
  await fitsPhone();
});

test("a photo that doesn't arrive keeps the update from being published, until it is tried again or removed", async () => {
  const { sentAs, uploads, arrive, sentTo } = await open();
  await write("pond.png", "pen.png");
  await expect.poll(() => uploads.length).toBe(2);
  sentAs("pond.png").lose();
  sentAs("pen.png").answer(400, { error: { reason: "invalid", message: "This photo can't be read." } });
  await says("This photo can't be read.");
  await press("Publish Update");
  await expect.element(page.getByText(updateTexts.photoFailed)).toBeVisible();
  await expect.element(rows.first().getByRole("button", { name: "Try again" })).toHaveFocus();
  await expect.element(rows.nth(1).getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  await rows.first().getByRole("button", { name: "Try again" }).click();
  await press("Remove photo 2");
  await expect.poll(() => uploads.length).toBe(3);
  await arrive("pond.png");
  await press("Publish Update");
  await tells("Update added successfully");
  expect(sentTo("updates.publish")).toMatchObject([{ photos: [{ altText: "" }] }]);
});

test("six photos are taken, and none that is no photo or is described at length", async () => {
  const { uploads } = await open();
  await write(...Array.from({ length: 5 }, (_, at) => `pond-${at}.png`));
  await chooseFiles(field, photo("notes.pdf", "application/pdf"), photo("seventh.png"));
  await alerts("An update has at most 6 photos");
  await expect.poll(() => rows.elements().length).toBe(6);
  await says("6 of 6 photos. Remove one to add another.");
  await expect.element(field).toBeDisabled();
  await expect.element(rows.nth(5).getByRole("alert")).toBeVisible();
  await press("Remove photo 6");
  await expect.element(field).toBeEnabled();
  const shows = rows.first().getByLabelText("What the photo shows (optional)");
  await shows.fill("x".repeat(201));
  for (const upload of uploads) upload.answer(200, { url: pixel });
  await press("Publish Update");
  await expect.element(shows).toHaveFocus();
  await expect.element(rows.first().getByText(mediaTexts.altTextLong)).toBeVisible();
});

test("an update that can't be published keeps its photos, also after a reload, and goes under the same key", async () => {
  const { answers, arrive, reload, sentTo } = await open({ "updates.publish": serverFault });
  await write("pond.png");
  await expect.element(rows.first()).toBeInTheDocument();
  await arrive("pond.png");
  await rows.first().getByLabelText("What the photo shows (optional)").fill("The pond");
  await press("Publish Update");
  await alerts("Failed to add update");
  await expect.element(page.getByText(/Your text and photos are kept\.$/)).toBeVisible();
  await reload();
  await expect.element(rows.first().getByLabelText("What the photo shows (optional)")).toHaveValue("The pond");
  await expect.element(rows.first().getByText("pond.png")).toBeVisible();
  answers["updates.publish"] = { updateId: 1 };
  await press("Publish Update");
  await tells("Update added successfully");
  expect(sentTo("updates.publish")).toHaveLength(1);
});

const gone = refusal("conflict", 409, updateTexts.photoGone);

test("photos that the server doesn't keep any more are sent again by themselves", async () => {
  let asked = 0;
  const { uploads, keyOf, arrive, sentTo } = await open({
    "updates.publish": () => {
      asked += 1;
      return asked === 1 ? gone : { updateId: 1 };
    },
  });
  await write("pond.png");
  await expect.poll(() => uploads.length).toBe(1);
  await arrive("pond.png");
  const key = keyOf("pond.png");
  await press("Publish Update");
  await expect.poll(() => uploads.length).toBe(2);
  expect(keyOf("pond.png")).toBe(key);
  await arrive("pond.png");
  await tells("Update added successfully");
  expect(sentTo("updates.publish")).toMatchObject([{ photos: [{ photoKey: key }] }]);
});

test("one whose file the page doesn't have any more is to be chosen again", async () => {
  const { uploads, arrive, reload } = await open({ "updates.publish": gone });
  await write("pond.png");
  await expect.poll(() => uploads.length).toBe(1);
  await arrive("pond.png");
  await expect.element(rows.first().getByText("Uploaded")).toBeVisible();
  await reload();
  await press("Publish Update");
  await alerts("Failed to add update");
  await expect.element(rows.first().getByText(updateTexts.photoForgotten)).toBeVisible();
  await expect.element(title).toHaveValue("Week one");
});

type Update = RouterOutputs["updates"]["list"]["items"][number];
const shown = (id: number, altText: string, url = pixel) => ({
  id,
  updateId: 1,
  url,
  altText,
  width: 600,
  height: 400,
});

test("everybody sees an update's photos, each named by what it shows or what it is of, and opens them large", async () => {
  const report: Update = {
    id: 1,
    title: "Report 4",
    content: "All pens are clean.",
    createdAt,
    report: { farmNote: null, isCodeSeen: true },
    photos: [shown(1, ""), shown(2, "The new pen", `${pixel}#2`)],
  };
  const update: Update = { ...report, id: 2, title: "We visited", report: null, photos: [shown(3, "", "/gone.webp")] };
  await open({ "updates.list": { items: [update, report], total: 2 } });
  const first = page.getByRole("button", { name: /^Photo 1 of 2 of the report of .*, opens large$/ });
  await expect.element(page.getByRole("button", { name: "The new pen, opens large" })).toBeVisible();
  await expect
    .element(page.getByRole("img", { name: /^Photo 1 of 1 of the update of .*, which could not be loaded$/ }))
    .toBeVisible();
  await first.click();
  await expect.element(dialog.getByText("1 of 2")).toBeVisible();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(dialog.getByRole("img", { name: "The new pen" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(first).toHaveFocus();
  await fitsPhone();
});
