import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { harvestLimits, harvestTexts } from "#shared/harvests/texts.ts";
import type { LiveMessage } from "#shared/live.ts";
import { secondPersonTexts } from "#shared/second-person/texts.ts";
import {
  type Answers,
  alerts,
  askAnotherOwner,
  chooseFiles,
  dialog,
  fitsPhone,
  hasHeading,
  openScreen,
  owner,
  press,
  refusal,
  says,
  tells,
} from "#tests/support/app-screen.ts";
import { backedProject, createdAt, requestOf } from "#tests/support/screen-samples.ts";

/** The tab Harvests on the management of a project: what administrators enter, and what a refusal leaves. */

type Listed = RouterOutputs["harvests"]["ofProject"];
type Part = RouterOutputs["harvests"]["parts"]["items"][number];
/** A harvest with those who have a part in it, from whom its sums follow. */
type Harvest = Omit<RouterOutputs["harvests"]["one"], "parts"> & { parts: Part[] };

const round: Listed["rounds"][number] = {
  round: 1,
  unit: "kg",
  nextPlanned: 2_500_000n,
  plannedPriceKobo: 275_000n,
  farmPartRate: 1000,
  deductibleCosts: ["Feed", "Transport"],
  feeRate: 500,
  options: ["produce", "sale", "give_away"],
  collectionPlace: "Moniya market, Ibadan",
  choiceDays: 14,
  collectionDays: 7,
  insurance: null,
  backers: 3,
};
const draft: Harvest = {
  id: 5,
  projectId: 1,
  projectTitle: "Ponds at Epe",
  round: 1,
  number: 1,
  place: 1,
  isInsurance: false,
  state: "draft",
  quantity: 2_514_250n,
  planned: 2_500_000n,
  lostQuantity: 0n,
  referencePriceKobo: 275_000n,
  note: "",
  createdBy: "00000000-0000-4000-8000-000000000002",
  createdAt,
  updatedAt: createdAt,
  openedAt: null,
  openedQuantity: null,
  choosesUntil: null,
  allottedAt: null,
  farmQuantity: 0n,
  collectsUntil: null,
  doneAt: null,
  lostAt: null,
  withdrawnAt: null,
  restLostAt: null,
  restLostReason: null,
  costsLostAt: null,
  unseen: [],
  finishRefusal: null,
  costsRefusal: harvestTexts.nothingLost,
  restRefusal: harvestTexts.nothingLost,
  unwrittenLostKobo: 0n,
  costsAtEnd: { ofFarmKobo: 0n, lostKobo: 0n, unwrittenKobo: 0n },
  parts: [],
  files: [],
  costs: [],
  sales: [],
  settlements: [],
  unsettledKobo: { sold: 0n, uncollected: 0n },
  now: createdAt,
};
const later = new Date("2026-03-15T22:59:59Z");
const part = (backingId: number, name: string, [quantity, taken]: readonly [bigint, bigint]): Part => ({
  backingId,
  name,
  chosenAt: taken > 0n ? createdAt : null,
  collectedAt: null,
  uncollectedAt: null,
  quantity,
  taken,
  given: 0n,
  sold: quantity - taken,
});
const ada = part(1, "Ada Obi", [1_444_356n, 0n]);
const bola = part(2, "Bola Adeyinka", [577_743n, 200_000n]);
const chika = part(3, "Chika Eze", [240_726n, 240_726n]);
const choosing: Harvest = {
  ...draft,
  state: "choosing",
  openedAt: createdAt,
  openedQuantity: 2_514_250n,
  choosesUntil: later,
  farmQuantity: 251_425n,
  parts: [ada, bola, chika],
};
const allotted: Harvest = { ...choosing, state: "allotted", allottedAt: createdAt, collectsUntil: later };
const sale: Harvest["sales"][number] = {
  id: 9,
  harvestId: 5,
  pool: "sold",
  buyer: "Ibadan Fish Market",
  quantity: 1_298_000n,
  amountKobo: 356_950_000n,
  createdAt,
  declaredAt: null,
  takenBackAt: null,
  lostKobo: 0n,
  matchedKobo: 0n,
  receivableKobo: 0n,
};
const settlement: Harvest["settlements"][number] = {
  id: 3,
  harvestId: 5,
  number: 1,
  pool: "sold",
  proceedsKobo: 565_178_194n,
  costsKobo: 18_500_000n,
  farmCostsKobo: 18_500_000n,
  farmKobo: 66_287_424n,
  netKobo: 454_569_769n,
  feeKobo: 24_019_537n,
  vatKobo: 1_801_464n,
  whtKobo: 0n,
  feeRate: 500,
  vatRate: 750,
  whtRate: 0,
  createdAt,
  reversedAt: null,
  reversedReason: null,
  canBeReversed: true,
  settledByName: "Chidi Eze",
};
const preview: RouterOutputs["harvests"]["preview"] = {
  unwrittenKobo: 0n,
  proceedsKobo: 565_178_194n,
  farmQuantity: 251_425n,
  farmKobo: 66_287_424n,
  feeRate: 500,
  vatRate: 750,
  whtRate: 0,
  costsKobo: 18_500_000n,
  dividedKobo: 546_678_194n,
  shareKobo: 480_390_770n,
  feeKobo: 24_019_537n,
  vatKobo: 1_801_464n,
  whtKobo: 0n,
  netKobo: 454_569_769n,
  costs: [{ id: "1", label: "Feed", amountKobo: 18_500_000n, paidBy: "farm" }],
  isRecorder: false,
  rows: [
    {
      backingId: 1,
      name: "Ada Obi",
      weight: 1_444_356n,
      shareKobo: 380_799_995n,
      feeKobo: 19_039_999n,
      vatKobo: 1_427_999n,
      whtKobo: 0n,
      netKobo: 360_331_997n,
    },
    {
      backingId: 2,
      name: "Bola Adeyinka",
      weight: 377_743n,
      shareKobo: 99_590_775n,
      feeKobo: 4_979_538n,
      vatKobo: 373_465n,
      whtKobo: 0n,
      netKobo: 94_237_772n,
    },
  ],
};
const sumOf = (values: bigint[]) => values.reduce((sum, value) => sum + value, 0n);
const sumsOf = (parts: Part[]): RouterOutputs["harvests"]["one"]["parts"] => ({
  count: parts.length,
  chosen: parts.filter(({ chosenAt }) => chosenAt).length,
  collected: parts.filter(({ collectedAt }) => collectedAt).length,
  uncollected: parts.filter(({ uncollectedAt }) => uncollectedAt).length,
  takers: parts.filter(({ taken }) => taken > 0n).length,
  quantity: sumOf(parts.map(({ quantity }) => quantity)),
  taken: sumOf(parts.map(({ taken }) => taken)),
  given: sumOf(parts.map(({ given }) => given)),
  sold: sumOf(parts.map(({ sold }) => sold)),
  uncollectedQuantity: sumOf(parts.filter(({ uncollectedAt }) => uncollectedAt).map(({ taken }) => taken)),
});
const isWaiting = ({ taken, collectedAt }: Part) => taken > 0n && !collectedAt;

/** The answers about these harvests: the list, each of them, and a page of its parts. */
const shows = (...harvests: Harvest[]) => {
  const find = (id: number) => {
    const found = harvests.find((harvest) => harvest.id === id);
    if (!found) throw new Error("no such harvest");
    return found;
  };
  return {
    "harvests.ofProject": { rounds: [round], harvests },
    "harvests.one": ({ harvestId }) => {
      const { parts, ...harvest } = find(harvestId);
      return { ...harvest, parts: sumsOf(parts) };
    },
    "harvests.parts": ({ harvestId, search = "", shown, cursor }) => {
      const parts = find(harvestId).parts.filter(
        (part) => part.name.includes(search) && (shown !== "waiting" || isWaiting(part)),
      );
      const begin = Number(cursor ?? 0);
      const items = parts.slice(begin, begin + 50);
      return { items, nextCursor: begin + 50 < parts.length ? String(begin + 50) : null };
    },
  } satisfies Answers;
};

const filled: Answers = {
  ...owner,
  "backings.project": backedProject,
  "updates.list": { items: [], total: 0 },
  "roundReturns.ofProject": [],
  "farmReleases.ofProject": { rounds: [], farms: [], releases: [] },
  ...shows(),
};
const path = "/admin/project/1?tab=harvests";
const inDialog = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
const reason = "The heat of last week killed part of the stock.";
const photo = () => new File(["png"], "weighing.png", { type: "image/png" });
const fileId = "00000000-0000-4000-8000-0000000000ff";
const asViewer = (kept: readonly string[]): Answers => {
  const viewer = owner["auth.viewer"];
  if (!viewer || !("permissions" in viewer)) throw new Error("no viewer");
  return { "auth.viewer": { ...viewer, permissions: viewer.permissions.filter((one) => kept.includes(one)) } };
};
const manager = asViewer(["projects:view", "projects:edit", "harvests:view", "harvests:manage"]);

test("before the first harvest the tab says what it is for; what can't be loaded comes with another try", async () => {
  const { answers } = await openScreen(path, { ...filled, "harvests.ofProject": refusal("internal", 500) });
  await says(texts.loadFailed);
  answers["harvests.ofProject"] = { rounds: [], harvests: [] };
  await press("Try again");
  await hasHeading("No round of this project is funded yet");
});

test("who may not keep harvests has no such tab", async () => {
  await openScreen(path, { ...filled, ...asViewer(["projects:view"]) });
  await expect.element(page.getByRole("tab", { name: "Updates" })).toHaveAttribute("aria-selected", "true");
  await expect.element(page.getByRole("tab", { name: "Harvests" })).not.toBeInTheDocument();
});

test("a harvest is entered against its plan, and what is short asks why", async () => {
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    "harvests.create": refusal("conflict", 409, harvestTexts.notFunded),
  });
  await hasHeading("No harvest yet");
  await fitsPhone();
  await press("New harvest");
  const quantity = dialog.getByLabelText("Quantity, in kg");
  await expect.element(dialog.getByLabelText("Price used for estimates, for one kg")).toHaveValue("2,750");
  await inDialog("Enter harvest");
  await says(harvestTexts.quantityMissing);
  await expect.element(quantity).toHaveFocus();
  await quantity.fill("2,300");
  await says("92% of the plan of 2,500 kg");
  await quantity.fill("2,000.5");
  await says("80% of the plan of 2,500 kg");
  await fitsPhone();
  await inDialog("Enter harvest");
  await says(harvestTexts.shortNote);
  await dialog.getByLabelText(/^Note/).fill(reason);
  await inDialog("Enter harvest");
  await alerts(harvestTexts.notFunded);
  await expect.element(quantity).toHaveValue("2,000.5");
  answers["harvests.create"] = () => {
    Object.assign(answers, shows({ ...draft, quantity: 2_000_500n, note: reason }));
    return { harvestId: 5 };
  };
  await inDialog("Enter harvest");
  await tells(texts.created);
  const typed = { quantity: "2,000.5", lostQuantity: "0", referencePrice: "2,750", note: reason };
  expect(sentTo("harvests.create")).toEqual([{ projectId: 1, round: 1, ...typed }]);
  await hasHeading("Harvest 1");
  // Without a photo nobody is asked to choose.
  await says(harvestTexts.shortPhoto);
  await expect.element(page.getByRole("button", { name: /^Open for choosing/ })).not.toBeInTheDocument();
});

test("somebody else's change keeps what was typed, and a server's fault stands at its field", async () => {
  const { answers } = await openScreen(path, {
    ...filled,
    ...shows(draft),
    "harvests.update": refusal("conflict", 409, harvestTexts.changed),
  });
  await press("Edit…");
  const price = dialog.getByLabelText("Price used for estimates, for one kg");
  await price.fill("2,800");
  await inDialog("Save");
  await alerts(harvestTexts.changed);
  await expect.element(price).toHaveValue("2,800");
  const fields = { fields: { note: [harvestTexts.shortNote] } };
  answers["harvests.update"] = refusal("invalid", 400, harvestTexts.shortNote, fields);
  await inDialog("Save");
  await expect.element(dialog.getByLabelText("Note")).toHaveFocus();
  await says(harvestTexts.shortNote);
  answers["harvests.update"] = undefined;
  await inDialog("Save");
  await tells(texts.updated);
});

test("where the bank doesn't show all that was paid another owner is asked to open it, and each payment is named", async () => {
  const unseen = [
    { reference: "GONA-ABCD-2345", backer: "Ada Obi", missingKobo: 300_000_000n },
    { reference: "GONA-EFGH-6789", backer: "Chidi Eze", missingKobo: 5_000_000n },
  ];
  const { sentTo } = await openScreen(path, {
    ...filled,
    ...shows({ ...draft, unseen }),
    "secondPerson.ask": undefined,
  });
  await press("Open for choosing…");
  await says("₦3,000,000 of GONA-ABCD-2345 by Ada Obi isn't seen at the bank.");
  await says("₦50,000 of GONA-EFGH-6789 by Chidi Eze isn't seen at the bank.");
  await dialog.getByLabelText("Reason").fill("Both backers showed us their bank's papers.");
  await fitsPhone();
  await inDialog("Send to another owner");
  await tells(secondPersonTexts.asked);
  expect(sentTo("secondPerson.ask")).toMatchObject([
    {
      kind: "open_harvest",
      details: { harvestId: draft.id, seenAt: createdAt.toISOString(), unseenKobo: "305000000" },
    },
  ]);
});

test("opening says how many are told and until when; the keyboard stays at the harvest", async () => {
  const { answers } = await openScreen(path, {
    ...filled,
    ...shows(draft),
    "harvests.open": refusal("conflict", 409, harvestTexts.nobody),
  });
  await says("2,514.25 kg (100%)");
  await press("Open for choosing…");
  await says(
    "3 backers are told by email of 2,514.25 kg, and choose until Sunday 15 Mar 2026, 23:59 WAT. What nobody chooses is sold.",
  );
  await inDialog("Open for choosing");
  await alerts(texts.openFailed);
  await says(harvestTexts.nobody);
  answers["harvests.open"] = () => {
    Object.assign(answers, shows(choosing));
  };
  await press("Open for choosing…");
  await inDialog("Open for choosing");
  await tells(texts.opened);
  await expect
    .element(
      page.getByText(
        "Backers choose until Sunday 15 Mar 2026, 23:59 WAT; 14 days left. 2 of 3 have chosen; what nobody chooses is sold.",
      ),
    )
    .toBeVisible();
  await expect.poll(() => document.activeElement?.tagName).toBe("SUMMARY");
});

test("a photo is sent with its progress, and one that is refused stays chosen", async () => {
  const { answers, uploads, sentTo } = await openScreen(path, { ...filled, ...shows(draft) });
  await press("Add a photo or document…");
  await inDialog("Add");
  await says(harvestTexts.evidenceFirst);
  await chooseFiles(dialog.getByLabelText(/^Photo or document/), photo());
  await inDialog("Add");
  await expect.poll(() => uploads[0]?.path).toBe("/uploads/harvest-evidence");
  uploads[0]?.reach(40);
  await says("40%");
  uploads[0]?.answer(400, { error: { reason: "invalid", message: "This image is damaged." } });
  await says("This image is damaged.");
  await inDialog("Add");
  await expect.poll(() => uploads.length).toBe(2);
  answers["harvests.addFile"] = refusal("internal", 500);
  uploads[1]?.answer(200, { fileId });
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  answers["harvests.addFile"] = () => {
    const file = { id: 1, harvestId: 5, purpose: "harvest" as const, costId: null, saleId: null };
    const named = { ...file, name: "weighing.pdf", contentType: "application/pdf", url: "/files/harvests/1" };
    Object.assign(answers, shows({ ...draft, files: [named] }));
  };
  // It is with the server already.
  await inDialog("Add");
  await tells(texts.fileAdded);
  expect(uploads).toHaveLength(2);
  expect(sentTo("harvests.addFile")).toEqual([{ harvestId: 5, fileId }]);
  const link = page.getByRole("link", { name: "weighing.pdf, 1 of 1" });
  await expect.element(link).toHaveAttribute("href", "/files/harvests/1");
});

test("files are added until as many are kept with the harvest as the server takes, those of its sales among them", async () => {
  const files = (purpose: "harvest" | "sale", count: number) =>
    Array.from({ length: count }, (_, id) => ({
      id,
      harvestId: 5,
      purpose,
      costId: null,
      saleId: null,
      name: `paper-${id}.pdf`,
      contentType: "application/pdf",
      url: `/files/harvests/${id}`,
    }));
  const { answers, reload } = await openScreen(path, {
    ...filled,
    ...shows({ ...draft, files: files("harvest", 21) }),
  });
  const add = page.getByRole("button", { name: "Add a photo or document…" });
  await expect.element(add).toBeVisible();
  Object.assign(answers, shows({ ...draft, files: files("sale", harvestLimits.files) }));
  await reload();
  await expect.element(add).not.toBeInTheDocument();
});

test("photos open in the viewer, by keyboard too, and documents in a tab of their own", async () => {
  const file = (id: number, name: string, contentType: string, url: string) => ({
    id,
    harvestId: 5,
    purpose: "harvest" as const,
    costId: null,
    saleId: null,
    name,
    contentType,
    url,
  });
  const files = [
    file(1, "pond.png", "image/webp", "/files/harvests/1/1600.webp"),
    file(2, "weighing.pdf", "application/pdf", "/files/harvests/2"),
    file(3, "crates.png", "image/webp", "/files/harvests/3/1600.webp"),
  ];
  await openScreen(path, { ...filled, ...shows({ ...draft, files }) });
  await expect.element(page.getByRole("link", { name: "weighing.pdf, 2 of 3" })).toHaveAttribute("target", "_blank");
  await press("crates.png, 3 of 3");
  await expect.element(dialog.getByText("2 of 2", { exact: true })).toBeVisible();
  await expect.element(dialog.getByText("crates.png", { exact: true })).toBeVisible();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(dialog.getByText("pond.png", { exact: true })).toBeVisible();
  // Before the first there is none.
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(dialog.getByText("1 of 2", { exact: true })).toBeVisible();
  await fitsPhone();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("button", { name: "crates.png, 3 of 3" })).toHaveFocus();
});

test("the quantity is lowered with a reason, and a harvest that nobody chose about is withdrawn", async () => {
  const asked: unknown[] = [];
  const unchosen = { ...choosing, parts: [ada] };
  const fields = { fields: { quantity: [harvestTexts.onlyLess] } };
  const { answers } = await openScreen(path, {
    ...filled,
    ...shows(unchosen),
    "harvests.lower": refusal("invalid", 400, harvestTexts.onlyLess, fields),
  });
  await press("Lower the quantity…");
  const quantity = dialog.getByLabelText("New quantity, in kg");
  await quantity.fill("2,600");
  await dialog.getByLabelText("Reason").fill(reason);
  await inDialog("Lower the quantity");
  await says(harvestTexts.onlyLess);
  await expect.element(quantity).toHaveFocus();
  answers["harvests.lower"] = (input) => void asked.push(input);
  await quantity.fill("2,400");
  await inDialog("Lower the quantity");
  await tells(texts.lowered);
  await press("Withdraw…");
  await dialog.getByLabelText("Reason").fill("Too short");
  await inDialog("Withdraw");
  await says(secondPersonTexts.reasonTooShort);
  answers["harvests.withdraw"] = (input) => {
    asked.push(input);
    Object.assign(answers, shows({ ...choosing, parts: [], state: "withdrawn", withdrawnAt: createdAt }));
  };
  await dialog.getByLabelText("Reason").fill(reason);
  await inDialog("Withdraw");
  await tells(texts.withdrawn);
  expect(asked).toEqual([
    { harvestId: 5, quantity: "2,400", reason },
    { harvestId: 5, reason },
  ]);
  await says("Withdrawn");
});

test("once somebody has chosen it isn't withdrawn; a loss takes a photo and a second person", async () => {
  const file = {
    id: 1,
    harvestId: 5,
    purpose: "harvest" as const,
    costId: null,
    saleId: null,
    name: "flood.pdf",
    contentType: "application/pdf",
    url: "/files/harvests/1",
  };
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    ...shows({ ...choosing, files: [file] }),
  });
  await expect.element(page.getByRole("button", { name: "Lower the quantity…" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Withdraw…" })).not.toBeInTheDocument();
  await press("Declare as lost…");
  await dialog.getByLabelText("Reason").fill(reason);
  answers["secondPerson.ask"] = refusal("conflict", 409, harvestTexts.settledPart);
  await inDialog("Send to another owner");
  await alerts(harvestTexts.settledPart);
  await expect.element(dialog.getByLabelText("Reason")).toHaveValue(reason);
  answers["secondPerson.ask"] = () => {
    const request = requestOf({
      kind: "lose",
      subject: "5/harvest",
      reason,
      title: "Declare harvest 1 of Ponds at Epe as lost",
      consequences: ["All is gone."],
    });
    answers["secondPerson.list"] = { requests: [request] };
  };
  await inDialog("Send to another owner");
  await tells(secondPersonTexts.asked);
  expect(sentTo("secondPerson.ask")).toEqual([{ kind: "lose", details: { what: "harvest", harvestId: 5 }, reason }]);
  await says("A second owner is asked to confirm that this harvest is lost.");
  await hasHeading("Declare harvest 1 of Ponds at Epe as lost");
});

test("who has what stands in sums, and by name when asked", async () => {
  const { answers, calls } = await openScreen(path, { ...filled, ...shows(choosing) });
  const backers = page.getByRole("region", { name: "Backers of Harvest 1" });
  await expect.element(backers.getByRole("term").nth(0)).toHaveTextContent("Backers have");
  await expect.element(backers.getByRole("definition").nth(0)).toHaveTextContent("2,262.825 kg");
  await expect.element(backers.getByRole("definition").nth(1)).toHaveTextContent("440.726 kg");
  expect(calls).not.toContain("harvests.parts");
  // What there is to sell is known once it is allotted.
  await expect.element(page.getByRole("button", { name: "Add a sale…" })).not.toBeInTheDocument();
  const list = answers["harvests.parts"];
  answers["harvests.parts"] = refusal("internal", 500);
  await press("Show 3 backers");
  await says(texts.partsLoadFailed);
  answers["harvests.parts"] = list;
  await press("Try again");
  const rows = page.getByRole("table", { name: "Backers of Harvest 1" }).getByRole("row");
  await expect.element(rows.nth(2)).toHaveTextContent("Bola Adeyinka577.7432000377.7431 Mar 2026");
  await expect.element(rows.nth(1)).toHaveTextContent("Ada Obi1,444.356001,444.356Not yet");
  await fitsPhone();
  await page.getByRole("searchbox", { name: "Find a backer" }).fill("Chika");
  await expect.element(rows.nth(1).getByText("Chika Eze")).toBeVisible();
  await page.getByRole("searchbox", { name: "Find a backer" }).fill("Nobody");
  await says(texts.nobodyFound);
  await press("Hide the backers");
  await expect.element(page.getByRole("searchbox", { name: "Find a backer" })).not.toBeInTheDocument();
});

/** Stands in for the live events. The returned function sends the screen what it is given. */
function stubLiveEvents() {
  const streams: { onmessage?: (event: { data: string }) => void }[] = [];
  vi.stubGlobal(
    "EventSource",
    class {
      onmessage?: (event: { data: string }) => void;
      constructor() {
        streams.push(this);
      }
      close() {}
    },
  );
  return async (...messages: LiveMessage[]) => {
    await expect.poll(() => streams.length).toBeGreaterThan(0);
    for (const message of messages) for (const stream of streams) stream.onmessage?.({ data: JSON.stringify(message) });
  };
}

test("a filter that the allotment takes away is not left on", async () => {
  const tell = stubLiveEvents();
  const { answers } = await openScreen(path, { ...filled, ...shows(choosing) });
  await press("Show 3 backers");
  const filter = page.getByLabelText("Which backers");
  await filter.selectOptions("Who hasn't chosen");
  Object.assign(answers, shows({ ...allotted, parts: [ada, { ...bola, uncollectedAt: createdAt }, chika] }));
  await tell({ type: "heartbeat" }, { type: "harvests", projectId: 1 });
  await expect.element(filter).toHaveValue("all");
  // Who was late has not collected either.
  await filter.selectOptions("Who hasn't collected");
  await says("Not in time, sold");
});

test("many backers come fifty at a time", async () => {
  const parts = Array.from({ length: 120 }, (_, index) => part(index + 1, `Backer ${index + 1}`, [1000n, 0n]));
  const { answers } = await openScreen(path, { ...filled, ...shows({ ...choosing, parts }) });
  const rows = page.getByRole("table", { name: "Backers of Harvest 1" }).getByRole("row");
  await press("Show 120 backers");
  await says("Backer 50");
  expect(rows.elements()).toHaveLength(51);
  const list = answers["harvests.parts"];
  answers["harvests.parts"] = refusal("internal", 500);
  await press("Load more backers");
  await alerts("More could not be loaded. Please try again.");
  answers["harvests.parts"] = list;
  await press("Load more backers");
  await says("Backer 100");
  await press("Load more backers");
  await says("Backer 120");
  expect(rows.elements()).toHaveLength(121);
  await expect.element(page.getByRole("button", { name: "Load more backers" })).not.toBeInTheDocument();
});

test("what somebody else did is shown as it happens, and what is typed meanwhile stays", async () => {
  const tell = stubLiveEvents();
  const { answers } = await openScreen(path, { ...filled, ...shows(draft) });
  await press("Edit…");
  await dialog.getByLabelText("Price used for estimates, for one kg").fill("2,800");
  Object.assign(answers, shows({ ...draft, quantity: 2_400_000n, updatedAt: later }, { ...draft, id: 6, number: 2 }));
  await tell({ type: "heartbeat" }, { type: "harvests", projectId: 1 });
  await expect.element(page.getByText("2,400 kg (96%)")).toBeInTheDocument();
  await expect.element(page.getByText("Harvest 2", { exact: true })).toBeInTheDocument();
  await expect.element(dialog.getByLabelText("Price used for estimates, for one kg")).toHaveValue("2,800");
});

test("a harvest that can't be loaded says so in its place, and is tried again", async () => {
  const { answers } = await openScreen(path, {
    ...filled,
    ...shows(choosing),
    "harvests.one": refusal("internal", 500),
  });
  await hasHeading("Harvest 1");
  await says(texts.oneLoadFailed);
  Object.assign(answers, shows(choosing));
  await press("Try again");
  await expect.element(page.getByRole("button", { name: "Show 3 backers" })).toBeVisible();
});

test("a harvest that came is declared as lost last of all", async () => {
  const file = {
    id: 1,
    harvestId: 5,
    purpose: "harvest" as const,
    costId: null,
    saleId: null,
    name: "report.pdf",
    contentType: "application/pdf",
    url: "/files/harvests/1",
  };
  const { answers, reload } = await openScreen(path, { ...filled, ...shows({ ...allotted, files: [file] }) });
  const last = () => [...document.querySelectorAll("details button")].at(-1)?.textContent;
  await expect.poll(last).toBe("Declare as lost…");
  // Of nothing it is the first thing to do.
  Object.assign(answers, shows({ ...draft, quantity: 0n, note: reason, files: [file] }));
  await reload();
  await says("0 kg (0%)");
  const names = () => [...document.querySelectorAll("details button")].map(({ textContent }) => textContent);
  await expect.poll(() => names().slice(0, 3)).toEqual(["Declare as lost…", "Edit…", "Withdraw…"]);
});

test("the collection says how far it is, and leads to the screen that hands produce over", async () => {
  const collected = { ...allotted, parts: [ada, { ...bola, collectedAt: createdAt }, chika] };
  await openScreen(path, { ...filled, ...shows(collected) });
  await says("1 of 2 has collected.");
  const link = page.getByRole("link", { name: "Hand produce over" });
  await expect.element(link).toHaveAttribute("href", "/admin/collect/5");
  await press("Show 3 backers");
  await page.getByRole("combobox", { name: "Which backers" }).selectOptions("Who hasn't collected");
  const rows = page.getByRole("table", { name: "Backers of Harvest 1" }).getByRole("row");
  await expect.element(rows.nth(1).getByText("Chika Eze")).toBeVisible();
  await expect.poll(() => rows.elements()).toHaveLength(2);
});

test("what nobody collected in time is handed over no more", async () => {
  const past = new Date("2026-03-08T22:59:59Z");
  const now = new Date("2026-03-09T09:00:00Z");
  await openScreen(path, { ...filled, ...shows({ ...allotted, collectsUntil: past, now }) });
  await says("0 of 2 have collected. The time for it is over: the rest is sold.");
  await expect.element(page.getByRole("link", { name: "Hand produce over" })).not.toBeInTheDocument();
});

test("a cost of the terms is added with its evidence, and removed while no settlement took it", async () => {
  const { answers, uploads, sentTo } = await openScreen(path, { ...filled, ...shows(allotted) });
  await says("None yet. Under the terms these come off the sales: Feed, Transport.");
  await press("Add a cost…");
  await inDialog("Add cost");
  await says("Please enter an amount like 185,000");
  await says(harvestTexts.evidenceFirst);
  await dialog.getByLabelText("Amount").fill("185,000");
  await dialog.getByLabelText("Cost", { exact: true }).selectOptions("Transport");
  await dialog.getByLabelText("Who paid it").selectOptions("The platform");
  await chooseFiles(dialog.getByLabelText(/^Evidence/), photo());
  const cost = { id: 4, harvestId: 5, label: "Transport", amountKobo: 18_500_000n, paidBy: "platform" as const };
  answers["harvests.addCost"] = () => {
    Object.assign(answers, shows({ ...allotted, costs: [{ ...cost, createdAt, takenKobo: 0n, isCounted: true }] }));
  };
  await inDialog("Add cost");
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.answer(200, { fileId });
  await tells(texts.costAdded);
  expect(sentTo("harvests.addCost")).toEqual([
    { harvestId: 5, label: "Transport", amount: "185,000", paidBy: "platform", fileId },
  ]);
  answers["harvests.removeCost"] = refusal("conflict", 409, harvestTexts.costTaken);
  await press("Remove Transport, ₦185,000");
  await inDialog("Remove");
  await alerts(texts.costRemoveFailed);
  answers["harvests.removeCost"] = () => {
    Object.assign(
      answers,
      shows({ ...allotted, costs: [{ ...cost, createdAt, takenKobo: 18_500_000n, isCounted: true }] }),
    );
  };
  await press("Remove Transport, ₦185,000");
  await inDialog("Remove");
  await tells(texts.costRemoved);
  await expect.element(page.getByRole("button", { name: /^Remove Transport/ })).not.toBeInTheDocument();
});

test("a sale says what has arrived of it, and its missing money is declared with evidence", async () => {
  const asked: unknown[] = [];
  const arrived = { ...sale, id: 10, buyer: "Mile 12 traders", matchedKobo: 100_000_000n };
  const { answers, uploads } = await openScreen(path, {
    ...filled,
    ...shows({ ...allotted, sales: [sale, arrived] }),
  });
  await says("Arrived ₦1,000,000 of ₦3,569,500");
  await says("2,596 of 2,073.524 kg sold so far.");
  await says("The sales come to more than there is to sell");
  // Part of its money is there.
  await expect
    .element(page.getByRole("button", { name: "Remove Mile 12 traders, ₦3,569,500" }))
    .not.toBeInTheDocument();
  await fitsPhone();
  await press("Declare as received… (Mile 12 traders, ₦3,569,500)");
  await inDialog("Send to another owner");
  await says(harvestTexts.evidenceFirst);
  await dialog.getByLabelText("Reason").fill(reason);
  await chooseFiles(dialog.getByLabelText(/^Evidence/), photo());
  answers["harvests.addFile"] = (input) => void asked.push(input);
  answers["secondPerson.ask"] = refusal("conflict", 409, harvestTexts.changed);
  await inDialog("Send to another owner");
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.answer(200, { fileId });
  await alerts(harvestTexts.changed);
  answers["secondPerson.ask"] = (input) => void asked.push(input);
  await inDialog("Send to another owner");
  await tells(secondPersonTexts.asked);
  const details = { saleId: 10, amountKobo: "256950000" };
  expect(asked).toEqual([
    { harvestId: 5, saleId: 10, fileId },
    { kind: "declare_sale", details, reason },
  ]);
});

test("money that was declared as received is taken back by two people", async () => {
  const declared = { ...sale, declaredAt: createdAt, matchedKobo: 56_950_000n };
  const { answers, sentTo } = await openScreen(path, { ...filled, ...shows({ ...allotted, sales: [declared] }) });
  answers["secondPerson.ask"] = () => {
    const request = requestOf({
      id: 8,
      kind: "take_back_sale",
      subject: "9",
      reason,
      title: "Take back that ₦3,000,000 came",
      consequences: ["It isn't settled."],
    });
    answers["secondPerson.list"] = { requests: [request] };
  };
  await press("Take back… (Ibadan Fish Market, ₦3,569,500)");
  await expect.element(dialog.getByText(/For ₦3,000,000 that didn't come after all/)).toBeVisible();
  await expect.element(dialog.getByText(harvestTexts.restWaits, { exact: false })).toBeVisible();
  await expect.element(dialog.getByText(/it is removed/)).not.toBeInTheDocument();
  await askAnotherOwner(reason);
  await says("A second owner is asked to confirm that it didn't come.");
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "take_back_sale", details: { saleId: 9, amountKobo: "300000000" }, reason },
  ]);
});

test("a sale is added, of what nobody collected too, and removed", async () => {
  const asked: unknown[] = [];
  const left = { ...allotted, parts: [ada, { ...bola, uncollectedAt: createdAt }] };
  const { answers } = await openScreen(path, { ...filled, ...shows(left) });
  await press("Add a sale…");
  await inDialog("Add sale");
  await says(harvestTexts.quantityMissing);
  await dialog.getByLabelText("Buyer").fill("Mile 12 traders");
  await dialog.getByLabelText("Quantity, in kg").fill("200");
  await dialog.getByLabelText("Amount").fill("537,000");
  await dialog.getByLabelText("What was sold").selectOptions("What nobody collected");
  answers["harvests.addSale"] = (input) => {
    asked.push(input);
    Object.assign(answers, shows({ ...left, sales: [{ ...sale, pool: "uncollected" }] }));
  };
  await inDialog("Add sale");
  await tells(texts.saleAdded);
  const typed = { buyer: "Mile 12 traders", quantity: "200", amount: "537,000", pool: "uncollected" };
  expect(asked).toEqual([{ harvestId: 5, ...typed }]);
  answers["secondPerson.ask"] = (input) => void asked.push(input);
  await press("Remove Ibadan Fish Market, ₦3,569,500");
  await expect.element(dialog.getByText(/Then nobody waits for the ₦3,569,500 any more/)).toBeVisible();
  await inDialog("Send to another owner");
  await says(secondPersonTexts.reasonTooShort);
  await dialog.getByLabelText("Reason").fill(reason);
  const waiting = { id: 1, kind: "remove_sale" as const, subject: "9" };
  const request = requestOf({ ...waiting, reason, title: "Remove it" });
  answers["secondPerson.list"] = { requests: [request] };
  await inDialog("Send to another owner");
  await tells(secondPersonTexts.asked);
  expect(asked.at(-1)).toEqual({ kind: "remove_sale", details: { saleId: 9, amountKobo: "356950000" }, reason });
  await says("Another owner is asked to confirm its removal.");
});

test("a further payment for what was sold has no quantity; an advance gets its own once it is shared out", async () => {
  const asked: unknown[] = [];
  const advance = { ...sale, id: 10, buyer: "Mile 12 traders", quantity: null, createdAt: new Date(0) };
  const { answers } = await openScreen(path, { ...filled, ...shows({ ...allotted, sales: [sale, advance] }) });
  await says("Advance");
  await press("Add a sale…");
  await dialog.getByLabelText("What it is").selectOptions("A further payment");
  await expect.element(dialog.getByLabelText("Quantity, in kg")).not.toBeInTheDocument();
  await dialog.getByLabelText("Buyer").fill("Ibadan Fish Market");
  await dialog.getByLabelText("Amount").fill("900,000");
  await fitsPhone();
  answers["harvests.addSale"] = (input) => void asked.push(input);
  await inDialog("Add payment");
  await tells(texts.saleAdded);
  const typed = { buyer: "Ibadan Fish Market", quantity: "", amount: "900,000", pool: "sold" };
  expect(asked).toEqual([{ harvestId: 5, ...typed, isWithoutQuantity: true }]);
  await press("Set quantity… (Mile 12 traders, ₦3,569,500)");
  await dialog.getByLabelText("Quantity, in kg").fill("300");
  answers["harvests.setSaleQuantity"] = (input) => void asked.push(input);
  await inDialog("Save quantity");
  await tells(texts.saleQuantitySet);
  expect(asked.at(-1)).toEqual({ saleId: 10, quantity: "300" });
});

test("what a buyer pays before the harvest is shared out is an advance, and says that it waits", async () => {
  const { answers, sentTo } = await openScreen(path, { ...filled, ...shows(choosing) });
  await press("Add an advance…");
  await expect.element(dialog.getByText(/It waits until the harvest is shared out/)).toBeVisible();
  await dialog.getByLabelText("Buyer").fill("Mile 12 traders");
  await dialog.getByLabelText("Amount").fill("500,000");
  answers["harvests.addSale"] = undefined;
  await inDialog("Add advance");
  await tells(texts.saleAdded);
  const typed = { buyer: "Mile 12 traders", quantity: "", amount: "500,000", pool: "sold", isWithoutQuantity: true };
  expect(sentTo("harvests.addSale")).toEqual([{ harvestId: 5, ...typed }]);
});

test("a sale typed with a digit too few is changed by two; what the bank took back of it is lost by two", async () => {
  const back = { ...sale, matchedKobo: 300_000_000n, receivableKobo: 56_950_000n };
  const { answers, sentTo } = await openScreen(path, { ...filled, ...shows({ ...allotted, sales: [back] }) });
  await says("The bank took ₦569,500 back after it was settled. The buyer has to pay it again.");
  await press("Change amount… (Ibadan Fish Market, ₦3,569,500)");
  await expect.element(dialog.getByText(/₦3,569,500 is written down/)).toBeVisible();
  await inDialog("Send to another owner");
  await says(secondPersonTexts.reasonTooShort);
  await dialog.getByLabelText("New amount").fill("35,695,000");
  await dialog.getByLabelText("Reason").fill(reason);
  await fitsPhone();
  answers["secondPerson.ask"] = refusal("conflict", 409, harvestTexts.lessThanArrived);
  await inDialog("Send to another owner");
  await alerts(harvestTexts.lessThanArrived);
  answers["secondPerson.ask"] = undefined;
  await inDialog("Send to another owner");
  await tells(secondPersonTexts.asked);
  const changed = { saleId: 9, amountKobo: "3569500000", seenKobo: "356950000" };
  expect(sentTo("secondPerson.ask")).toEqual([{ kind: "change_sale", details: changed, reason }]);
  await press("Book as a loss… (Ibadan Fish Market, ₦569,500)");
  await expect.element(dialog.getByText(/The bank took ₦569,500 back after it was settled/)).toBeVisible();
  await dialog.getByLabelText("Reason").fill(reason);
  await inDialog("Send to another owner");
  await expect.poll(() => sentTo("secondPerson.ask").length).toBe(2);
  expect(sentTo("secondPerson.ask")[1]).toEqual({
    kind: "lose_sale",
    details: { saleId: 9, amountKobo: "56950000" },
    reason,
  });
});

test("a cost of the farm waits for another owner, and a settlement of one's own goes to them", async () => {
  const cost = { id: 4, harvestId: 5, label: "Feed", amountKobo: 18_500_000n, createdAt, takenKobo: 0n };
  const costs: Harvest["costs"] = [{ ...cost, paidBy: "farm", isCounted: false }];
  const waiting = { ...allotted, costs, unsettledKobo: { sold: 565_178_194n, uncollected: 0n } };
  const { sentTo } = await openScreen(path, {
    ...filled,
    ...shows(waiting),
    "harvests.preview": { ...preview, isRecorder: true },
    "secondPerson.ask": undefined,
  });
  await says(harvestTexts.costWaits);
  await press("Send to another owner… (Feed, ₦185,000)");
  await fitsPhone();
  await expect.element(dialog.getByText(/Then the farm gets ₦185,000 back from the next settlement/)).toBeVisible();
  await askAnotherOwner(reason);
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "count_cost", details: { costId: 4, amountKobo: "18500000" }, reason },
  ]);
  await expect.element(dialog).not.toBeInTheDocument();

  await press("Preview the settlement");
  await says(harvestTexts.settledByRecorder);
  await page.getByLabelText("Type ₦5,651,781.94 to settle it").fill("5,651,781.94");
  await press("Send to another owner");
  await says(secondPersonTexts.reasonTooShort);
  await page.getByLabelText("Reason").fill(reason);
  await fitsPhone();
  await press("Send to another owner");
  await expect.poll(() => sentTo("secondPerson.ask").length).toBe(2);
  const details = { harvestId: 5, pool: "sold", amountKobo: "565178194", vatRate: 750, whtRate: 0 };
  expect(sentTo("secondPerson.ask")[1]).toEqual({ kind: "settle_harvest", details, reason });
});

test("a settlement is looked at to the kobo, and confirmed by typing its amount", async () => {
  const unsettledKobo = { sold: 565_178_194n, uncollected: 0n };
  const waiting = { ...allotted, unsettledKobo };
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    ...shows(waiting),
    "harvests.preview": refusal("internal", 500),
  });
  await press("Preview the settlement");
  await says("The settlement could not be worked out");
  answers["harvests.preview"] = preview;
  await press("Try again");
  const rows = page.getByRole("table", { name: "Settlement of Harvest 1" }).getByRole("row");
  await expect.element(rows.nth(2)).toHaveTextContent("Bola Adeyinka377.743₦995,907.75₦49,795.38₦3,734.65₦942,377.72");
  await expect.element(rows.nth(3)).toHaveTextContent("The farm251.425₦662,874.24––₦662,874.24");
  await expect.element(rows.nth(4)).toHaveTextContent("Sum2,073.524₦5,466,781.94₦240,195.37₦18,014.64₦5,208,571.93");
  await fitsPhone();
  const amount = page.getByLabelText("Type ₦5,651,781.94 to settle it");
  await amount.fill("5,651,781");
  await press("Settle");
  await says(harvestTexts.wrongAmount);
  answers["harvests.settle"] = refusal("conflict", 409, harvestTexts.proceedsChanged);
  await amount.fill("5,651,781.94");
  await press("Settle");
  await alerts(harvestTexts.proceedsChanged);
  await expect.element(amount).toHaveValue("5,651,781.94");
  answers["harvests.settle"] = () => {
    Object.assign(answers, shows({ ...allotted, state: "settled", settlements: [settlement] }));
  };
  await press("Settle");
  await tells(texts.settled);
  expect(sentTo("harvests.settle")).toEqual([
    { harvestId: 5, pool: "sold", amount: "5,651,781.94", vatRate: 750, whtRate: 0 },
  ]);
  await hasHeading("Settlement 1");
  await expect.element(amount).not.toBeInTheDocument();
});

test("a settlement is reversed with a reason while it can be, and else says why not", async () => {
  const settled: Harvest = { ...allotted, state: "settled", settlements: [settlement] };
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    ...shows(settled),
    "harvests.reverse": refusal("conflict", 409, harvestTexts.payoutLeft),
  });
  await press("Reverse settlement 1…");
  await dialog.getByLabelText("Reason").fill(reason);
  await inDialog("Reverse settlement");
  await alerts(harvestTexts.payoutLeft);
  await expect.element(dialog.getByLabelText("Reason")).toHaveValue(reason);
  answers["harvests.reverse"] = () => {
    const reversed = { ...settlement, reversedAt: createdAt, reversedReason: reason, canBeReversed: false };
    const sent = { ...settlement, id: 4, number: 2, canBeReversed: false };
    Object.assign(answers, shows({ ...settled, settlements: [reversed, sent] }));
  };
  await inDialog("Reverse settlement");
  await tells(texts.reversed);
  expect(sentTo("harvests.reverse")).toEqual([{ settlementId: 3, reason }]);
  await says(`Reversed on 1 Mar 2026: ${reason}`);
  await says(texts.staysPaid);
});

test("the rest of a harvest is declared as lost by two people, and its backers' reason stays with it", async () => {
  const unpaid: Harvest = {
    ...allotted,
    state: "settled",
    sales: [sale],
    settlements: [settlement],
    restRefusal: null,
    costsAtEnd: { ofFarmKobo: 0n, lostKobo: 400_000n, unwrittenKobo: 0n },
  };
  const { answers, sentTo } = await openScreen(path, { ...filled, ...shows(unpaid) });
  await press("Declare the rest as lost…");
  await says("₦4,000 that the platform paid as costs is lost with it, and booked as a loss.");
  await dialog.getByLabelText("Reason").fill(reason);
  answers["secondPerson.ask"] = refusal("conflict", 409, harvestTexts.restEvidence);
  await inDialog("Send to another owner");
  await alerts(harvestTexts.restEvidence);
  answers["secondPerson.ask"] = () => {
    const request = requestOf({
      id: 9,
      kind: "lose",
      subject: "5/rest",
      reason,
      title: "Declare the rest as lost",
      consequences: ["₦3,569,500 of its sales never came."],
    });
    answers["secondPerson.list"] = { requests: [request] };
  };
  await inDialog("Send to another owner");
  await tells(secondPersonTexts.asked);
  await says("A second owner is asked to confirm that the rest of it is lost.");
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "lose", details: { what: "rest", harvestId: 5, lostKobo: "400000" }, reason },
  ]);
});

test("a harvest is finished once nothing is left of it", async () => {
  const gone = { ...chika, collectedAt: createdAt };
  const waits: Harvest = { ...allotted, parts: [ada, chika], finishRefusal: harvestTexts.stillOpen };
  const cost = { id: 4, harvestId: 5, label: "Feed", amountKobo: 500_000n, paidBy: "platform" as const };
  const ready: Harvest = {
    ...allotted,
    parts: [ada, gone],
    state: "settled",
    settlements: [settlement],
    costs: [{ ...cost, createdAt, takenKobo: 100_000n, isCounted: true }],
    costsAtEnd: { ofFarmKobo: 400_000n, lostKobo: 0n, unwrittenKobo: 0n },
  };
  const { answers, reload } = await openScreen(path, { ...filled, ...shows(waits) });
  await says(`To finish: ${harvestTexts.stillOpen}`);
  Object.assign(answers, shows({ ...ready, finishRefusal: harvestTexts.salesUnpaid }));
  await reload();
  await says(`To finish: ${harvestTexts.salesUnpaid}`);
  Object.assign(answers, shows(ready));
  await reload();
  answers["harvests.finish"] = refusal("conflict", 409, harvestTexts.stillOpen);
  await press("Finish harvest…");
  await expect.element(dialog.getByText(/^₦4,000 of costs that the platform paid is left/)).toBeVisible();
  await inDialog("Finish harvest");
  await alerts(texts.finishFailed);
  answers["harvests.finish"] = () => {
    Object.assign(answers, shows({ ...ready, state: "done", doneAt: createdAt }));
  };
  await press("Finish harvest…");
  await inDialog("Finish harvest");
  await tells(texts.finished);
  await says("Finished on 1 Mar 2026.");
  await says(texts.staysDone);
});

test("an insurer's sum has neither quantity nor backers' table, and is settled from its draft", async () => {
  const insured: Harvest = { ...draft, isInsurance: true, quantity: null, referencePriceKobo: null };
  const { answers, sentTo } = await openScreen(path, {
    ...filled,
    "harvests.createInsurance": () => {
      Object.assign(answers, shows({ ...insured, unsettledKobo: { sold: 100_000_000n, uncollected: 0n } }));
      return { harvestId: 5 };
    },
  });
  await press("New insurance sum");
  await dialog.getByLabelText("Note").fill("For the flood of May.");
  await inDialog("Enter insurance sum");
  await tells(texts.insuranceCreated);
  expect(sentTo("harvests.createInsurance")).toEqual([{ projectId: 1, round: 1, note: "For the flood of May." }]);
  await hasHeading("Insurance sum 1");
  await expect.element(page.getByRole("button", { name: "Preview the settlement" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Open for choosing…" })).not.toBeInTheDocument();
  await press("Add a sum…");
  await expect.element(dialog.getByLabelText("Insurer")).toBeVisible();
  await expect.element(dialog.getByLabelText(/^Quantity/)).not.toBeInTheDocument();
});

test("a manager keeps harvests, and neither settles them nor asks a second person", async () => {
  const nothing = { ...draft, id: 6, number: 2, quantity: 0n };
  const { calls } = await openScreen(path, {
    ...filled,
    ...manager,
    ...shows(nothing, {
      ...allotted,
      sales: [sale],
      unsettledKobo: { sold: 100n, uncollected: 0n },
    }),
  });
  await says("Nothing was harvested");
  await says("An owner declares it as lost, and a second one confirms it.");
  await expect.element(page.getByRole("button", { name: "Add a sale…" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Declare/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Preview the settlement" })).not.toBeInTheDocument();
  expect(calls).not.toContain("secondPerson.list");
});

test("what is over is folded, and lost harvests say why", async () => {
  const lost: Harvest = { ...choosing, state: "lost", lostAt: createdAt, note: reason };
  await openScreen(path, { ...filled, ...shows(lost) });
  const head = page.getByRole("heading", { name: "Harvest 1" });
  await expect.element(head).toBeVisible();
  await expect.element(page.getByText(reason)).not.toBeInTheDocument();
  await head.click();
  await says(reason);
  await says("Declared as lost on 1 Mar 2026.");
  await expect.element(page.getByRole("button", { name: "Book costs as a loss…" })).not.toBeInTheDocument();
});

test("what the platform paid for a lost harvest is booked as a loss by two", async () => {
  const cost = {
    id: 4,
    harvestId: 5,
    label: "Feed",
    amountKobo: 4_000_000n,
    createdAt,
    takenKobo: 0n,
    isCounted: true,
  };
  const paid: Harvest["costs"] = [
    { ...cost, paidBy: "platform" },
    { ...cost, id: 6, paidBy: "farm" },
  ];
  const lost: Harvest = {
    ...choosing,
    state: "lost",
    lostAt: createdAt,
    note: reason,
    costs: paid,
    costsAtEnd: { ofFarmKobo: 0n, lostKobo: 4_000_000n, unwrittenKobo: 0n },
    costsRefusal: null,
  };
  const { answers, sentTo } = await openScreen(path, { ...filled, ...shows(lost) });
  answers["secondPerson.ask"] = () => {
    const request = requestOf({
      id: 8,
      kind: "lose",
      subject: "5/costs",
      reason,
      title: "Book ₦40,000 as a loss",
      consequences: ["No sale will bring it."],
    });
    answers["secondPerson.list"] = { requests: [request] };
  };
  await page.getByRole("heading", { name: "Harvest 1" }).click();
  await press("Book costs as a loss…");
  await says("The platform paid ₦40,000, and no sale will bring it. Nothing happens before another owner confirms.");
  await askAnotherOwner(reason);
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "lose", details: { what: "costs", harvestId: 5, lostKobo: "4000000" }, reason },
  ]);
  await says("A second owner is asked to confirm that its costs are lost.");
  await expect.element(page.getByRole("button", { name: "Book costs as a loss…" })).not.toBeInTheDocument();
});

test("a harvest whose end would lose costs says how much, and two end it", async () => {
  const lossy: Harvest = {
    ...allotted,
    parts: [ada],
    state: "settled",
    settlements: [settlement],
    costsAtEnd: { ofFarmKobo: 100_000n, lostKobo: 400_000n, unwrittenKobo: 0n },
    costsRefusal: null,
    finishRefusal: harvestTexts.costsLost("₦4,000"),
  };
  const { answers, reload, sentTo } = await openScreen(path, { ...filled, ...shows(lossy) });
  await says(`To finish: ${harvestTexts.costsLost("₦4,000")}`);
  await expect.element(page.getByRole("button", { name: "Finish harvest…" })).not.toBeInTheDocument();
  await press("Book costs as a loss…");
  await expect
    .element(dialog.getByText(/^The platform paid ₦4,000 .* ₦1,000 comes off what is still owed to the farm, and the/))
    .toBeVisible();
  await dialog.getByLabelText("Reason").fill(reason);
  answers["secondPerson.ask"] = refusal("conflict", 409, harvestTexts.changed);
  await inDialog("Send to another owner");
  await alerts(harvestTexts.changed);
  answers["secondPerson.ask"] = undefined;
  await inDialog("Send to another owner");
  await tells(secondPersonTexts.asked);
  expect(sentTo("secondPerson.ask")).toEqual([
    { kind: "lose", details: { what: "costs", harvestId: 5, lostKobo: "400000" }, reason },
  ]);
  Object.assign(answers, shows({ ...lossy, state: "done", doneAt: createdAt, costsLostAt: createdAt }));
  await reload();
  await page.getByRole("heading", { name: "Harvest 1" }).click();
  await says("What nothing brought back of the platform's costs was booked as a loss.");
});
