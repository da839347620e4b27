import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import {
  type Answers,
  alerts,
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
import { invite } from "#tests/support/screen-samples.ts";

/** The page of an invitation: links that lead nowhere, and a server that fails. */

const path = "/admin/setup-account";
const link = `${path}#type=invite&access_token=1-${"0".repeat(63)}`;
const { email, fullName } = invite;
const valid: Answers = {
  "team.inviteByToken": { state: "valid", step: "set-up", email, fullName, role: "manager" },
};
const password = page.getByRole("textbox", { name: "Password" });
const chosen = "Cassava-Harvest-2027";

test("an expired link says so", async () => {
  await openScreen(link, { "team.inviteByToken": { state: "expired" } });
  await hasHeading("This invitation has expired");
  await expect.element(page.getByText(/An invitation works for 72 hours\./)).toBeVisible();
  await fitsPhone();
});

test("a link that a newer one replaced says so", async () => {
  await openScreen(link, { "team.inviteByToken": { state: "replaced" } });
  await hasHeading("This link was replaced by a newer one");
  await expect.element(page.getByText(/Only the link in the latest invitation mail works\./)).toBeVisible();
});

test.each([
  ["without a token", "", ""],
  ["that was made up", `#type=invite&access_token=1-${"0".repeat(63)}`, `1-${"0".repeat(63)}`],
  ["of another kind", "#type=recovery&access_token=1", ""],
])("a link %s says so, and grants nothing", async (_, fragment, token) => {
  const tokens: string[] = [];
  await openScreen(`${path}?type=admin&email=a%40example.com&role=owner${fragment}`, {
    "team.inviteByToken": (input) => {
      tokens.push(input.token);
      return { state: "unknown" };
    },
  });
  await hasHeading("This invitation link does not work");
  expect(new Set(tokens)).toEqual(new Set([token]));
  expect(localStorage.getItem("isAdmin")).toBeNull();
});

test("an invitation that stopped working while its form was filled in says so on sending it", async () => {
  const { answers } = await openScreen(link, { ...valid, "team.acceptInvite": refusal("not_found", 404) });
  await password.fill(chosen);
  answers["team.inviteByToken"] = { state: "unknown" };
  await press("Create Account");
  await hasHeading("This invitation link does not work");
});

test("a server that fails keeps what was typed", async () => {
  const { answers, path: shown } = await openScreen(link, {
    ...owner,
    "auth.viewer": null,
    ...valid,
    "team.acceptInvite": serverFault,
  });
  await password.fill(chosen);
  await press("Create Account");
  await alerts("Failed to set up admin account. Please try again.");
  await expect.element(password).toHaveValue(chosen);
  answers["team.acceptInvite"] = () => {
    answers["auth.viewer"] = owner["auth.viewer"];
    return { needsCode: false };
  };
  await press("Create Account");
  await tells("Account Created");
  await expect.poll(shown).toBe("/admin/dashboard");
});

test("whoever was made an administrator but could not be signed in is told so, and signs in", async () => {
  // React tells of what the error page is for.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { answers, path: shown, reload } = await openScreen(link, { ...owner, "auth.viewer": null, ...valid });
  await password.fill(chosen);
  answers["team.acceptInvite"] = () => {
    answers["auth.viewer"] = serverFault;
    return { needsCode: false };
  };
  await press("Create Account");
  await alerts("Failed to complete admin setup");
  await expect.element(page.getByText(/You are an administrator now, but could not be signed in\./)).toBeVisible();
  await expect.poll(shown).toBe("/admin/login");
  answers["auth.viewer"] = owner["auth.viewer"];
  await reload();
  await expect.poll(shown).toBe("/admin/dashboard");
});

test("an invitation that can't be accepted by a fault may be tried again", async () => {
  const { answers, path: shown } = await openScreen(link, {
    ...owner,
    "team.inviteByToken": { state: "valid", step: "accept", email, fullName, role: "owner" },
    "team.acceptInviteSignedIn": serverFault,
  });
  await press("Accept invitation");
  await alerts("Failed to complete admin setup");
  await says("Accept your invitation");
  answers["team.acceptInviteSignedIn"] = { needsCode: false };
  await press("Accept invitation");
  await tells("Invitation accepted");
  await expect.poll(shown).toBe("/admin/dashboard");
});
