import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { farmPeopleTexts } from "#shared/farms/people-texts.ts";
import { farmTexts } from "#shared/farms/texts.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import {
  type Answers,
  alerts,
  backer,
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
import { emptyFarm } from "#tests/support/screen-samples.ts";

/** Farms: for administrators, for those who are invited, and for those who work for them. */

type Farm = RouterOutputs["farms"]["one"];
const at = new Date("2026-11-20T09:00:00Z");

const farm: Farm = {
  ...emptyFarm,
  projects: [{ id: 3, title: "Ponds at Epe", isClosed: true, round: 1, outcome: "funded" }],
  people: [
    {
      id: 1,
      userId: "00000000-0000-4000-8000-000000000009",
      role: "reporter",
      createdAt: at,
      endedAt: null,
      fullName: "Ngozi Bello",
      email: "ngozi@example.com",
    },
  ],
  invites: [
    {
      id: 5,
      email: "musa@example.com",
      fullName: "Musa Sani",
      role: "keeper",
      createdAt: at,
      expiresAt: at,
      isExpired: true,
    },
  ],
};
const listed = { id: 7, name: "Epe Ponds", state: "Lagos" as const, place: "Epe", visitedOn: null, closedAt: null };

test("the list says who runs what, where nobody reports, and what is looked for", async () => {
  const asked: unknown[] = [];
  await openScreen("/admin/farms", {
    ...owner,
    "farms.list": (input) => {
      asked.push(input);
      return input.search === "none"
        ? { items: [], nextCursor: null }
        : { items: [{ ...listed, projects: 3, openProjects: 1, people: 0 }], nextCursor: null };
    },
  });
  await says("Epe, Lagos");
  await says("3, 1 open");
  await says("Nobody");
  await fitsPhone();
  await page.getByLabelText("Search farms by name").fill("none");
  await hasHeading("No farm was found");
  await page.getByLabelText("Show closed farms").click();
  await says("Try a shorter part of its name.");
  expect(asked.at(-1)).toMatchObject({ search: "none", showClosed: true });
});

test("no farms yet: what they are, and the way to add one; a failure can be tried again", async () => {
  const { answers } = await openScreen("/admin/farms", { ...owner, "farms.list": serverFault });
  await alerts("Farms could not be loaded.");
  answers["farms.list"] = { items: [], nextCursor: null };
  await press("Try again");
  await hasHeading("No farms yet");
  expect(page.getByRole("link", { name: "Add Farm" }).elements()).toHaveLength(2);
});

test("a farm is added once it is filled in, and its page goes on", async () => {
  const sent: unknown[] = [];
  const { path, calls } = await openScreen("/admin/farms/new", {
    ...owner,
    "farms.create": (input) => {
      sent.push(input);
      return { id: 7 };
    },
    "farms.one": farm,
  });
  await press("Add Farm");
  await says("The name has 2 to 80 letters");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await expect.element(name).toHaveFocus();
  expect(calls).not.toContain("farms.create");
  await name.fill("Epe Ponds");
  await page.getByRole("combobox", { name: "State" }).selectOptions("Lagos");
  await page.getByLabelText("Latitude").fill("6.6");
  await page.getByLabelText("Visited by").fill("Chidi Eze");
  await press("Add Farm");
  await says(farmTexts.bothDegrees);
  await says(farmTexts.visitedOnMissing);
  await page.getByLabelText("Longitude").fill("3.9");
  await page.getByLabelText("Visited by").fill("");
  await fitsPhone();
  await press("Add Farm");
  await expect.poll(path).toBe("/admin/farms/7");
  expect(sent).toEqual([
    expect.objectContaining({ name: "Epe Ponds", latitude: "6.6", longitude: "3.9", sinceYear: null, visitedOn: null }),
  ]);
});

const account: RouterOutputs["farmReleases"]["account"] = {
  id: 7,
  name: "Epe Ponds",
  isClosed: false,
  account: null,
  waitingAccount: null,
};

test("a farm's page has its people, asks before their work ends, and invites more", async () => {
  const calls: [string, unknown][] = [];
  const note = (name: string) => (input: unknown) => {
    calls.push([name, input]);
    return undefined;
  };
  await openScreen("/admin/farms/7", {
    ...owner,
    "farms.one": farm,
    "farmReleases.account": account,
    "farms.endPerson": note("end"),
    "farms.changeRole": note("role"),
    "farms.resendInvite": note("resend"),
    "farms.invite": refusal("conflict", 409, farmPeopleTexts.worksAlready),
  });
  await says("Link expired");
  await fitsPhone();
  const choose = async (subject: string, action: string) => {
    await press(`Actions for ${subject}`);
    await page.getByRole("menuitem", { name: action }).click();
  };
  await choose("Ngozi Bello", "Make Keeper");
  await press("Make Keeper");
  await tells("Saved");
  await choose("Ngozi Bello", "End Work");
  await press("End Work");
  await tells("Their work for the farm has ended");
  await choose("Musa Sani", "Send Again");
  await press("Send Invitation Again");
  await tells("Invitation sent again");
  expect(calls).toEqual([
    ["role", { personId: 1, role: "keeper" }],
    ["end", { personId: 1 }],
    ["resend", { inviteId: 5 }],
  ]);
  await press("Invite Person");
  await page.getByRole("dialog").getByLabelText("Email").fill("ngozi@example.com");
  await page.getByRole("dialog").getByLabelText("Full name").fill("Ngozi Bello");
  await press("Send Invitation");
  await alerts(farmPeopleTexts.worksAlready);
});

test("a farm's page has its account, which another owner confirms; what can't be loaded comes with another try", async () => {
  const { answers, sentTo } = await openScreen("/admin/farms/7", {
    ...owner,
    "farms.one": farm,
    "farmReleases.account": serverFault,
    "secondPerson.ask": undefined,
  });
  await expect.element(page.getByText(farmReleaseTexts.accountLoadFailed)).toBeVisible();
  answers["farmReleases.account"] = account;
  await press("Try again");
  await says(farmReleaseTexts.accountOf("Epe Ponds"));
  await press("Give the farm's account");
  await page.getByLabelText("Bank", { exact: true }).selectOptions("Access Bank");
  await page.getByLabelText("Account number").fill("0690000032");
  await page.getByLabelText("Account name").fill("Epe Ponds Ltd");
  await page.getByLabelText("Reason").fill("The farm's letter names it.");
  await fitsPhone();
  await press("Send to another owner");
  await tells("Another owner is asked to confirm");
  expect(sentTo("secondPerson.ask")).toMatchObject([{ kind: "set_farm_account", details: { farmId: 7 } }]);
});

test("what somebody else changed isn't overwritten unseen, and a farm that runs something can't be closed", async () => {
  const running = { ...farm, projects: [{ ...farm.projects[0], isClosed: false }] as Farm["projects"] };
  await openScreen("/admin/farms/7", {
    ...owner,
    "farms.one": running,
    "farmReleases.account": account,
    "farms.update": refusal("conflict", 409, farmTexts.changed),
  });
  await page.getByLabelText("Place").fill("Epe town");
  await press("Save Changes");
  await alerts(farmTexts.changed);
  await expect.element(page.getByLabelText("Place")).toHaveValue("Epe town");
  await press("Close Farm");
  await says(farmTexts.hasOpenProject);
});

test("a farm that doesn't exist says so", async () => {
  await openScreen("/admin/farms/99", { ...owner, "farms.one": refusal("not_found", 404, farmTexts.notFound) });
  await hasHeading("Farm not found");
});

const link = `/farm/invitation#type=invite&access_token=1-${"0".repeat(64)}`;
const opened = { state: "valid", email: "ada@example.com", farmName: "Epe Ponds", role: "reporter" } as const;

test.each([
  ["sign-up", "Create an account"],
  ["sign-in", "Sign In"],
] as const)("an invitation leads through %s", async (step, name) => {
  await openScreen(link, { "farms.inviteByToken": { ...opened, step } });
  await hasHeading("Report for Epe Ponds");
  // The header has a link of the same name.
  const links = page.getByRole("main").getByRole("link", { name, exact: true });
  await expect.element(links).toHaveAttribute("href", expect.stringContaining("next="));
  expect(decodeURIComponent(links.element().getAttribute("href") ?? "")).toContain("next=/farm/invitation");
  await fitsPhone();
});

test("an invitation is accepted by whoever it is for, and the farm is there", async () => {
  const { path, answers } = await openScreen(link, {
    ...backer,
    "farms.inviteByToken": { ...opened, step: "accept" },
    "farms.acceptInvite": refusal("conflict", 409, "This invitation has expired."),
  });
  await press("Accept invitation");
  await alerts("This invitation has expired.");
  answers["farms.acceptInvite"] = { farmName: "Epe Ponds", role: "reporter" };
  answers["farms.mine"] = [];
  await press("Accept invitation");
  await tells("Invitation accepted");
  await expect.poll(path).toBe("/farm");
});

test("an address that isn't confirmed gets a link, and an invitation that was taken back says so", async () => {
  const { answers, calls } = await openScreen(link, {
    ...backer,
    "farms.inviteByToken": { ...opened, step: "confirm" },
    "auth.resendConfirmation": undefined,
  });
  await press("Send me the link");
  await tells("Link sent");
  expect(calls).toContain("auth.resendConfirmation");
  answers["farms.inviteByToken"] = { state: "withdrawn" };
  window.location.hash = `type=invite&access_token=2-${"0".repeat(64)}`;
  window.dispatchEvent(new HashChangeEvent("hashchange"));
  await hasHeading("This invitation was withdrawn");
});

const viewer = backer["auth.viewer"] as NonNullable<RouterOutputs["auth"]["viewer"]>;
const works: Answers = { ...backer, "auth.viewer": { ...viewer, hasFarm: true } };
const report = { number: 4, dueAt: at, asks: 2, isOpen: true, isLate: true };
const own = { id: 7, name: "Epe Ponds", state: "Lagos" as const, place: "Epe" };
const run = { id: 3, title: "Ponds at Epe", isClosed: true, round: 1, outcome: "funded" as const };

test("a keeper's page has what is awaited, who asked, and what went to the farm", async () => {
  await openScreen("/farm", {
    ...works,
    "farms.mine": [{ ...own, role: "keeper", projects: [{ ...run, report }] }],
    "farms.money": [
      {
        id: 1,
        projectTitle: "Ponds at Epe",
        round: 1,
        amountKobo: 120_000_000n,
        state: "paid",
        sentAt: at,
        paidAt: at,
        createdAt: at,
        farmId: 7,
        harvestNumber: 2,
      },
    ],
  });
  await says("2 backers asked for it.");
  const write = page.getByRole("link", { name: "Write report 4" });
  await expect.element(write).toHaveAttribute("href", "/farm/3/report");
  const harvests = page.getByRole("link", { name: "Harvests of Ponds at Epe" });
  await expect.element(harvests).toHaveAttribute("href", "/farm/3/harvests");
  await says("₦1,200,000.00");
  await says("Harvest 2");
  await fitsPhone();
});

test("a reporter's page has no money; whoever works for none reads why it is empty", async () => {
  const { calls } = await openScreen("/farm", {
    ...works,
    "farms.mine": [{ ...own, role: "reporter", projects: [{ ...run, report: { ...report, isOpen: false } }] }],
  });
  await says("Reporter");
  expect(page.getByRole("link", { name: /Write report|Harvests/ }).elements()).toHaveLength(0);
  expect(calls).not.toContain("farms.money");
  await openScreen("/farm", backer);
  await hasHeading("You don't work for a farm");
});
