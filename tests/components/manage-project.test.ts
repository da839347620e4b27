import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { paymentTexts } from "#shared/payments/texts.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { holdTexts } from "#shared/projects/holds-texts.ts";
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
  serverFault,
  tells,
} from "#tests/support/app-screen.ts";
import { backedProject, createdAt, noReports, person } from "#tests/support/screen-samples.ts";

/** The management of a project, where the server fails or the line is slow. */

const filled: Answers = {
  ...owner,
  "backings.project": backedProject,
  "updates.list": { items: [], total: 0 },
  "backings.listForProject": { items: [], total: 0, weightRounds: [1], nextCursor: null },
  "media.ofType": { items: [], counts: { photo: 0, video: 0, youtube: 0, livestream: 0 } },
  "roundReturns.ofProject": [],
  ...noReports,
  "farmReleases.ofProject": { rounds: [], farms: [], releases: [] },
};
const path = "/admin/project/1";
const granted = {
  id: 1,
  userId: person.id,
  fullName: person.fullName,
  email: person.email,
  isBlocked: false,
  createdAt: person.createdAt,
  isGranted: true,
  isPaid: false,
  lots: 0,
  weights: [],
};

test("a project that can't be loaded leads to the dashboard", async () => {
  const screen = await openScreen(path, { ...filled, "backings.project": serverFault });
  await alerts("Failed to load project. Please try again.");
  await expect.poll(screen.path).toBe("/admin/dashboard");
});

test("an update that can't be published stays typed, also after a reload", async () => {
  const { answers, reload } = await openScreen(path, { ...filled, "updates.publish": serverFault });
  const title = page.getByLabelText(/^Update Title/);
  await title.fill("Week one");
  await page.getByLabelText(/^Content/).fill("The ponds are full.\n\nNo losses.");
  await press("Publish Update");
  await alerts("Failed to add update");
  await reload();
  await expect.element(title).toHaveValue("Week one");
  answers["updates.publish"] = { updateId: 1 };
  await press("Publish Update");
  await tells("Update added successfully");
  await expect.element(title).toHaveValue("");
});

test("somebody who can't be made a backer stays picked", async () => {
  const { answers } = await openScreen(`${path}?tab=backers`, {
    ...filled,
    "users.searchForPicker": { people: [person], hasMore: false },
    "backings.grant": serverFault,
  });
  const picker = page.getByLabelText("User", { exact: true });
  await picker.fill(person.email);
  await page.getByRole("option").click();
  await press("Add as Backer");
  await alerts("Failed to add backer");
  await expect.element(picker).toHaveValue(`${person.fullName} (${person.email})`);
  answers["backings.grant"] = undefined;
  await press("Add as Backer");
  await tells("Backer added successfully");
});

test("nobody picked, nobody known and who backs already are told, and a mistake is taken back", async () => {
  const { answers } = await openScreen(`${path}?tab=backers`, {
    ...filled,
    "backings.listForProject": { items: [granted], total: 1, weightRounds: [1], nextCursor: null },
    "users.searchForPicker": { people: [], hasMore: false },
    "backings.grant": refusal("not_found", 404, backingTexts.userNotFound),
    "backings.revokeGrant": undefined,
  });
  await hasHeading("1 backer");
  await press("Add as Backer");
  await alerts("Please select a user to add as backer");
  const picker = page.getByLabelText("User", { exact: true });
  await picker.fill("nobody@example.com");
  await press("Add as Backer");
  await says("User not found");
  answers["backings.grant"] = refusal("conflict", 409, backingTexts.alreadyListed);
  await press("Add as Backer");
  await tells("This user is already a backer for this project");
  await press(`Remove ${person.fullName}`);
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await tells("Backer removed successfully");
});

test("who may only view sees updates and media without the forms, and not who the backers are", async () => {
  const ownerViewer = owner["auth.viewer"] as Extract<Answers["auth.viewer"], { permissions: unknown }>;
  await openScreen(path, { ...filled, "auth.viewer": { ...ownerViewer, permissions: ["projects:view"] } });
  await hasHeading("No updates yet");
  await expect.element(page.getByRole("button", { name: "Publish Update" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("tab", { name: "Backers" })).not.toBeInTheDocument();
  await page.getByRole("tab", { name: "Media" }).click();
  await expect.element(page.getByRole("tab", { name: "Photos (0)" })).toBeVisible();
  expect(page.getByRole("button", { name: /Upload|Add/ }).elements()).toEqual([]);
  await expect.element(page.getByRole("link", { name: "Edit project" })).not.toBeInTheDocument();
});

test.each(["/admin/project/pond", "/project-updates/1.5"])("%s is told to be no project, and left", async (address) => {
  const screen = await openScreen(address, filled);
  await alerts("Invalid project ID");
  await expect.poll(screen.path).toBe("/admin/dashboard");
});

test("an owner gives a granted backing a weight, and one that can't be saved stays typed", async () => {
  const page1 = { items: [granted], total: 1, weightRounds: [1], nextCursor: null };
  const { answers, calls } = await openScreen(`${path}?tab=backers`, {
    ...filled,
    "backings.listForProject": page1,
    "secondPerson.ask": serverFault,
  });
  await says("No part in the harvest");
  await press(`Part of ${person.fullName} in the harvest`);
  const weight = dialog.getByLabelText("Weight in naira");
  const save = dialog.getByRole("button", { name: "Send to another owner" });
  await weight.fill("0");
  await save.click();
  await says("A weight is more than nothing. Leave it empty for no part.");
  await says(secondPersonTexts.reasonTooShort);
  expect(calls).not.toContain("secondPerson.ask");
  await weight.fill("50,000");
  await dialog.getByLabelText("Reason").fill("They lent us a tractor.");
  await save.click();
  await alerts("Failed to ask for the part in the harvest");
  await expect.element(weight).toHaveValue("50,000");
  answers["secondPerson.ask"] = undefined;
  await save.click();
  await tells(secondPersonTexts.asked);
  await expect.element(dialog).not.toBeInTheDocument();
});

test("where a farm has several rounds an owner names the one that a weight counts in, the newest by default", async () => {
  const granted = {
    id: 1,
    userId: person.id,
    fullName: person.fullName,
    email: person.email,
    isBlocked: false,
    createdAt: person.createdAt,
    isGranted: true,
    isPaid: false,
    lots: 0,
    weights: [{ backingId: 1, round: 1, weightKobo: 5_000_000n, reason: "Lent us a tractor" }],
  };
  const { sentTo } = await openScreen(`${path}?tab=backers`, {
    ...filled,
    "backings.listForProject": { items: [granted], total: 1, weightRounds: [2, 1], nextCursor: null },
    "secondPerson.ask": undefined,
  });
  await press(`Part of ${person.fullName} in the harvest`);
  const [round, weight] = [dialog.getByLabelText("Round"), dialog.getByLabelText("Weight in naira")];
  await expect.element(round).toHaveValue("2");
  await expect.element(weight).toHaveValue("");
  await round.selectOptions("Round 1");
  await expect.element(weight).toHaveValue("50,000");
  await round.selectOptions("Round 2");
  await weight.fill("20,000");
  await askAnotherOwner("They lent us a plough too.");
  const details = { projectId: 1, userId: person.id, round: 2, weightKobo: "2000000", seenKobo: "0" };
  expect(sentTo("secondPerson.ask")).toEqual([{ kind: "set_weight", details, reason: "They lent us a plough too." }]);
});

test("whoever isn't an owner reads the part, and can't change it", async () => {
  const backing = {
    userId: person.id,
    fullName: person.fullName,
    email: person.email,
    isBlocked: false,
    createdAt: person.createdAt,
    weights: [],
  };
  await openScreen(`${path}?tab=backers`, {
    ...filled,
    "backings.listForProject": {
      items: [
        { ...backing, id: 1, isGranted: true, isPaid: false, lots: 0 },
        { ...backing, id: 2, fullName: "Halima Musa", isGranted: false, isPaid: true, lots: 3 },
      ],
      total: 2,
      weightRounds: [],
      nextCursor: null,
    },
  });
  await says("3 lots");
  await says("No part in the harvest");
  await expect.element(page.getByRole("button", { name: /in the harvest/ })).not.toBeInTheDocument();
});

test.each([
  ["YouTube URL", "Add YouTube URL", "media.addYoutube", "Failed to add YouTube URL"],
  ["Livestream URL", "Add Livestream", "media.addLivestream", "Failed to add livestream URL"],
] as const)("a %s that can't be added stays typed", async (label, button, procedure, text) => {
  await openScreen(`${path}?tab=media`, { ...filled, [procedure]: serverFault });
  const field = page.getByRole("textbox", { name: label });
  await field.fill("https://youtu.be/dQw4w9WgXcQ");
  await press(button);
  await alerts(text);
  await expect.element(field).toHaveValue("https://youtu.be/dQw4w9WgXcQ");
});

test("a video that can't be uploaded is told of", async () => {
  const { uploads } = await openScreen(`${path}?tab=media`, filled);
  await chooseFiles(
    page.getByLabelText("Video", { exact: true }),
    new File(["film"], "pond.webm", { type: "video/webm" }),
  );
  await press("Upload Video");
  await expect.poll(() => uploads.length).toBe(1);
  uploads[0]?.answer(500, {});
  await alerts("Failed to upload video");
});

test("several photos at once: how far each is, one cancelled, one tried again", async () => {
  const { answers, uploads } = await openScreen(`${path}?tab=media`, filled);
  const photos = page.getByLabelText("Photos", { exact: true });
  const photo = (name: string) => new File([name], name, { type: "image/png" });
  const rows = page.getByRole("list", { name: "Chosen photos" }).getByRole("listitem");
  const row = (name: string) => rows.filter({ hasText: name });
  const sentAs = (name: string) => {
    const upload = uploads.findLast(({ form }) => (form.get("file") as File).name === name);
    if (!upload) throw new Error(`${name} was not sent`);
    return upload;
  };
  await chooseFiles(photos, ...["pond-1.png", "pond-2.png", "pond-3.png"].map(photo));
  await press("Upload 3 photos");
  // Two at a time.
  await expect.poll(() => uploads.length).toBe(2);
  for (const [name, percent] of [["pond-1.png", 12] as const, ["pond-2.png", 34] as const]) {
    sentAs(name).reach(percent);
    await expect.element(row(name).getByText(`Uploading, ${percent}%`)).toBeVisible();
  }
  await expect.element(row("pond-3.png").getByText("Waiting")).toBeVisible();
  await expect.element(page.getByRole("status").getByText("3 photos left to upload")).toBeInTheDocument();

  await press("Cancel the upload of pond-1.png");
  await expect.poll(() => uploads.length).toBe(3);
  expect(sentAs("pond-1.png").isStopped).toBe(true);
  expect(rows.elements()).toHaveLength(2);
  await expect.element(row("pond-3.png").getByText("Uploading, 0%")).toBeVisible();

  await chooseFiles(photos, photo("pond-4.png"));
  await press("Upload 1 photo");
  for (const name of ["pond-2.png", "pond-3.png"]) sentAs(name).answer(200, {});
  await expect.poll(() => uploads.length).toBe(4);
  sentAs("pond-4.png").lose();
  await expect
    .element(row("pond-4.png").getByText("Network error. Please check your internet connection."))
    .toBeVisible();
  await alerts("Failed to upload photos");
  expect(rows.elements()).toHaveLength(1);
  answers["media.ofType"] = { items: [], counts: { photo: 3, video: 0, youtube: 0, livestream: 0 } };
  await row("pond-4.png").getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => uploads.length).toBe(5);
  sentAs("pond-4.png").answer(200, {});
  await tells("Photos uploaded successfully");
  await expect.element(rows.first()).not.toBeInTheDocument();
  await expect.element(page.getByRole("tab", { name: "Photos (3)" })).toBeVisible();
});

const rowsOf = (table: string) => page.getByRole("table", { name: table }).getByRole("row");
const listed = {
  holds: [
    {
      id: 7,
      fullName: "Bola Adeyinka",
      lots: 3,
      until: new Date("2026-03-02T09:00:00Z"),
      hasReceipt: false,
      isOffer: false,
      createdAt,
    },
    { id: 8, fullName: "Ada Obi", lots: 1, until: null, hasReceipt: true, isOffer: false, createdAt },
  ],
  waiting: [{ id: 1, fullName: "Ngozi Eze", lots: 2, joinedAt: createdAt }],
  canProcess: true,
};

test("a hold is ended with a reason that a failure keeps, or given more hours", async () => {
  const { answers, calls, sentTo } = await openScreen(`${path}?tab=holds`, {
    ...filled,
    "holds.list": listed,
    "holds.end": serverFault,
    "holds.extend": refusal("conflict", 409, holdTexts.notHeld),
  });
  await expect.element(rowsOf("Held lots").nth(2)).toHaveTextContent("Ada Obi1Until it is decidedReceipt sentEnd");
  await expect.element(rowsOf("Waiting list").nth(1).getByText("Ngozi Eze")).toBeVisible();
  // A hold that was paid for has no end to move.
  expect(page.getByRole("button", { name: "24 hours from now" }).elements()).toHaveLength(1);
  await fitsPhone();
  await press("24 hours from now");
  await alerts(holdTexts.notHeld);

  await rowsOf("Held lots").nth(1).getByRole("button", { name: "End" }).click();
  const end = () => dialog.getByRole("button", { name: "End the hold" }).click();
  const reason = dialog.getByLabelText("Reason");
  await expect.element(dialog.getByRole("heading", { name: "End the hold of Bola Adeyinka?" })).toBeVisible();
  await end();
  await expect.element(dialog.getByText(holdTexts.reasonMissing)).toBeVisible();
  expect(calls).not.toContain("holds.end");
  await reason.fill("Asked us to.");
  await end();
  await expect.poll(() => calls).toContain("holds.end");
  await expect.element(reason).toHaveValue("Asked us to.");
  answers["holds.end"] = () => {
    answers["holds.list"] = { ...listed, holds: [], waiting: [] };
    return undefined;
  };
  await end();
  await tells(holdTexts.endedByHand);
  expect(sentTo("holds.end")).toEqual([{ holdId: 7, reason: "Asked us to." }]);
  await hasHeading("Nobody holds a lot now");
});

test("who may only look at payments sees holds without a way to end them, or why they aren't shown", async () => {
  const { answers, reload } = await openScreen(`${path}?tab=holds`, {
    ...filled,
    "holds.list": { ...listed, canProcess: false },
  });
  await expect.element(rowsOf("Held lots").nth(1)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "End" })).not.toBeInTheDocument();
  answers["holds.list"] = serverFault;
  await reload();
  await hasHeading("The holds could not be loaded.");
});

const missed = {
  round: 1,
  lots: 40,
  minimumLots: 30,
  approvedLots: 17,
  totalKobo: 85_000_000n,
  totalDueKobo: 85_000_000n,
  isReached: false,
  waiting: 0,
  backers: [
    { paymentId: 1, fullName: "Bola Adeyinka", lots: 12, amountKobo: 60_000_000n, dueKobo: 60_000_000n },
    { paymentId: 2, fullName: null, lots: 5, amountKobo: 25_000_000n, dueKobo: 25_000_000n },
  ],
};
const ended: Answers = { ...filled, "backings.project": { ...backedProject, isClosed: true, lots: 40 } };

test("a round that missed its minimum is given back in one confirmed act, which a failure leaves to be tried again", async () => {
  const { answers, sentTo } = await openScreen(path, {
    ...ended,
    "payments.roundToDecide": missed,
    "payments.decideRound": refusal("conflict", 409, paymentTexts.roundChanged),
  });
  await hasHeading("The minimum was missed");
  const rows = page.getByRole("region", { name: "The minimum was missed" }).getByRole("row");
  await expect.element(rows.nth(2)).toHaveTextContent("Unknown5₦250,000");
  await expect.element(rows.nth(3)).toHaveTextContent("Together17₦850,000");
  await fitsPhone();
  const confirm = () => dialog.getByRole("button", { name: "Give everything back" }).click();
  await press("Give everything back");
  await expect.element(dialog.getByRole("heading", { name: "Give ₦850,000 back?" })).toBeVisible();
  await confirm();
  await alerts(paymentTexts.decideFailed);
  await says(paymentTexts.roundChanged);
  await expect.element(dialog).not.toBeInTheDocument();
  answers["payments.decideRound"] = () => {
    answers["payments.roundToDecide"] = null;
    return undefined;
  };
  await press("Give everything back");
  await confirm();
  await tells(paymentTexts.roundGivenBack);
  expect(sentTo("payments.decideRound")).toEqual([{ projectId: 1, outcome: "not_funded", seenApprovedLots: 17 }]);
  await expect.element(page.getByRole("heading", { name: "The minimum was missed" })).not.toBeInTheDocument();
});

test("whose money nobody has seen in the bank is named before the round is given back", async () => {
  const backers = missed.backers.map((backer) => (backer.fullName ? backer : { ...backer, dueKobo: 0n }));
  await openScreen(path, {
    ...ended,
    "payments.roundToDecide": {
      ...missed,
      backers,
      totalDueKobo: 60_000_000n,
    },
  });
  await press("Give everything back");
  await expect.element(dialog.getByRole("heading", { name: "Give ₦600,000 back?" })).toBeVisible();
  await expect.element(dialog.getByText("Not seen in the bank")).toBeVisible();
  await expect.element(dialog.getByText("Unknown: ₦0 of ₦250,000")).toBeVisible();
  await expect.element(dialog.getByText("Bola Adeyinka", { exact: false })).not.toBeInTheDocument();
});

test("a round at its minimum is declared funded, but not while payments wait", async () => {
  const reached = { ...missed, minimumLots: 15, isReached: true };
  const { answers, reload, sentTo } = await openScreen(path, {
    ...ended,
    "payments.roundToDecide": { ...reached, waiting: 2 },
  });
  await says(paymentTexts.paymentsWait(2));
  await expect.element(page.getByRole("button", { name: "Declare funded" })).toBeDisabled();
  answers["payments.roundToDecide"] = reached;
  answers["payments.decideRound"] = () => {
    answers["payments.roundToDecide"] = null;
    return undefined;
  };
  await reload();
  await press("Declare funded");
  await dialog.getByRole("button", { name: "Declare funded" }).click();
  await tells(paymentTexts.roundFunded);
  expect(sentTo("payments.decideRound")).toEqual([{ projectId: 1, outcome: "funded", seenApprovedLots: 17 }]);
});

test("an administrator answers one backer, or says that a message needs no answer", async () => {
  const asked = {
    id: 7,
    content: "My account changed",
    isMine: false,
    isPrivate: true,
    recipientName: null,
    createdAt,
  };
  const sender = { label: "Backer" as const, name: "Bola Adeyinka" };
  const sent: unknown[] = [];
  const { sentTo } = await openScreen(`${path}?tab=messages`, {
    ...filled,
    "messages.list": { items: [{ ...asked, sender, wait: "late" }], total: 1, sendsAs: "Admin" },
    "messages.send": (input: unknown) => {
      sent.push(input);
      return { messageId: 8 };
    },
    "messages.dismiss": undefined,
  });
  await expect.element(page.getByText("Unanswered, late")).toBeVisible();
  await expect.element(page.getByText("Only to the team")).toBeVisible();
  await press("Answer only Bola Adeyinka");
  const box = page.getByLabelText("Your message to Bola Adeyinka");
  await expect.element(box).toHaveFocus();
  await expect.element(page.getByText("Only Bola Adeyinka and our team can read it.")).toBeVisible();
  await box.fill("Enter the new one in your profile");
  await press("Send message");
  await says("Message sent successfully");
  expect(sent).toMatchObject([{ content: "Enter the new one in your profile", answersId: 7, isPrivate: false }]);
  // The next message goes to all again.
  await expect.element(page.getByLabelText("Your message", { exact: true })).toBeVisible();
  await press("Answer only Bola Adeyinka");
  await press("Write to all instead");
  await expect.element(page.getByText("Every backer of this project can read it and is notified.")).toBeVisible();
  await press("Needs no answer");
  await says("Marked as needing no answer");
  expect(sentTo("messages.dismiss")).toEqual([{ messageId: 7 }]);
});
