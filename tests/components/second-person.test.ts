import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import {
  type Answers,
  alerts,
  openScreen,
  owner,
  ownerAccount,
  press,
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { backedProject, noReports } from "#tests/support/screen-samples.ts";

/** Requests that wait for a second person, on the dashboard and at their project. */

type Listed = RouterOutputs["secondPerson"]["list"];
const request: Listed["requests"][number] = {
  id: 7,
  kind: "write_off",
  subject: "1/1",
  askedBy: "Tunde Ade",
  reason: "The ponds were flooded.",
  requestedAt: new Date("2026-11-21T09:00:00Z"),
  until: new Date("2026-11-28T09:00:00Z"),
  title: "End round 1 of Ponds at Epe",
  consequences: ["The project can be deleted then."],
  projectId: 1,
  isPossible: true,
  isOwn: false,
  refusal: null,
};
const listed = (more: Partial<typeof request> = {}): Listed => ({ requests: [{ ...request, ...more }] });
const project: Answers = {
  "roundReturns.ofProject": [],
  ...noReports,
  "farmReleases.ofProject": { rounds: [], farms: [], releases: [] },
  ...owner,
  "backings.project": { ...backedProject, isClosed: true },
  "updates.list": { items: [], total: 0 },
  "payments.roundToDecide": null,
  "writeOffs.rounds": [{ round: 1, lots: 40, approvedLots: 17, refusal: null }],
  "secondPerson.list": { requests: [] },
};
const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = page.getByRole("dialog");

test("another owner's request says what it means, and is confirmed", async () => {
  const { answers } = await openScreen("/admin/dashboard", { ...owner, "secondPerson.list": listed() });
  await expect.element(page.getByRole("heading", { name: request.title })).toBeVisible();
  await expect.element(page.getByText(`Reason: ${request.reason}`)).toBeVisible();
  await expect.element(button("Withdraw")).not.toBeInTheDocument();
  answers["secondPerson.confirm"] = serverFault;
  await press("Confirm");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await alerts(texts.confirmFailed);
  // The list is refetched after the failure too, so it must not change before the confirmation.
  answers["secondPerson.confirm"] = () => {
    answers["secondPerson.list"] = { requests: [] };
  };
  await press("Confirm");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await tells(texts.confirmed);
  await expect.element(page.getByRole("heading", { name: request.title })).not.toBeInTheDocument();
});

test("one's own request waits for another owner, and is withdrawn", async () => {
  const own = listed({ isOwn: true, refusal: texts.needsAnother });
  const { answers } = await openScreen("/admin/dashboard", { ...owner, "secondPerson.list": own });
  await expect.element(page.getByText(new RegExp(texts.needsAnother))).toBeVisible();
  await expect.element(button("Confirm")).not.toBeInTheDocument();
  answers["secondPerson.withdraw"] = undefined;
  await press("Withdraw");
  await tells(texts.withdrawn);
});

test("who doesn't count as a second person yet reads from when on, and has no button", async () => {
  const refusal = texts.countsFrom(new Date("2026-11-24T09:00:00Z"));
  await openScreen("/admin/dashboard", { ...owner, "secondPerson.list": listed({ refusal }) });
  await expect.element(page.getByText(/counts as a second person/)).toBeVisible();
  await expect.element(button("Confirm")).not.toBeInTheDocument();
  await expect.element(button("Decline")).toBeVisible();
});

test("the only owner confirms with a password and a code", async () => {
  const { answers } = await openScreen("/admin/dashboard", {
    ...owner,
    "secondPerson.list": listed({ isOwn: true }),
    "users.account": { ...ownerAccount, isCodeAsked: true },
  });
  await expect.element(page.getByText(new RegExp(texts.onlyOwner))).toBeVisible();
  await press("Confirm");
  await dialog.getByLabelText("Current Password").fill("Catfish-Pond-42");
  await dialog.getByLabelText("Code from the app").fill("123456");
  answers["secondPerson.confirm"] = undefined;
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await tells(texts.confirmed);
});

test("requests that can't be loaded are asked for again", async () => {
  const { answers } = await openScreen("/admin/dashboard", { ...owner, "secondPerson.list": serverFault });
  await expect.element(page.getByText(texts.fetchFailed)).toBeVisible();
  answers["secondPerson.list"] = listed();
  await press("Try again");
  await expect.element(page.getByRole("heading", { name: request.title })).toBeVisible();
});

test("an owner asks to write a round off, in words", async () => {
  const { answers } = await openScreen("/admin/project/1", project);
  await press("End round 1: nothing more will come (17 of 40 lots sold)");
  await press("Send to another owner");
  await expect.element(page.getByText(texts.reasonTooShort)).toBeVisible();
  await dialog.getByLabelText("Reason").fill("The ponds were flooded, and no fish is left.");
  answers["secondPerson.ask"] = undefined;
  answers["secondPerson.list"] = listed({ isOwn: true });
  await press("Send to another owner");
  await tells(texts.asked);
  await expect.element(page.getByRole("heading", { name: request.title })).toBeVisible();
  await expect.element(button("End round 1: nothing more will come (17 of 40 lots sold)")).not.toBeInTheDocument();
});

test("where a round can't be written off now, it says why instead of the button", async () => {
  const rounds = [
    { round: 1, lots: 40, approvedLots: 17, refusal: "This round's harvest has begun." },
    { round: 2, lots: 40, approvedLots: 40, refusal: null },
  ];
  await openScreen("/admin/project/1", { ...project, "writeOffs.rounds": rounds });
  await expect.element(page.getByText("Not now for round 1: This round's harvest has begun.")).toBeVisible();
  await expect.element(button("End round 2: nothing more will come (40 of 40 lots sold)")).toBeVisible();
  await expect.element(button("End round 1: nothing more will come (17 of 40 lots sold)")).not.toBeInTheDocument();
});

test("a backer reads that their round was written off, and why", async () => {
  const writtenOff = [{ round: 1, at: new Date("2026-11-21T09:00:00Z"), reason: "The ponds were flooded." }];
  const backed = { ...backedProject, writtenOff };
  await openScreen("/backed-project/1", {
    ...project,
    "backings.project": backed,
    "payments.listMyPurchases": [],
    "harvests.mine": [],
  });
  await expect.element(page.getByText("Your round ended on 21 Nov 2026.")).toBeVisible();
  await expect
    .element(page.getByText("Nothing more will come of it. The reason: The ponds were flooded."))
    .toBeVisible();
});
