import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { accountTexts } from "#shared/accounts/texts.ts";
import {
  type Answers,
  alerts,
  dialog,
  fitsPhone,
  openScreen,
  owner,
  ownerAccount,
  press,
  refusal,
  tells,
} from "#tests/support/app-screen.ts";

/** The request for a password in the middle of an act: the input waits behind it. */

const proofRequired = refusal("proof_required", 403, accountTexts.proofRequired);
const email = "amina@example.com";
const proving = page.getByRole("dialog", { name: "Is it you?" });
const password = proving.getByLabelText("Current Password");

/** A server that takes an invitation only after the password. */
async function invite(more: Answers = {}) {
  const sent: unknown[] = [];
  const proofs: unknown[] = [];
  let isProved = false;
  const screen = await openScreen("/admin/settings?tab=admins", {
    ...owner,
    "auth.prove": (proof) => {
      proofs.push(proof);
      if (proof.currentPassword !== "Catfish-Pond-42") {
        const fields = { currentPassword: [accountTexts.passwordWrong] };
        return refusal("invalid", 400, accountTexts.passwordWrong, { fields });
      }
      isProved = true;
      return undefined;
    },
    "team.invite": (input) => {
      sent.push(input);
      return isProved ? { status: "invited" } : proofRequired;
    },
    ...more,
  });
  await press("Add Admin User");
  await dialog.getByLabelText("Email").fill(email);
  await dialog.getByLabelText("Full name").fill("Amina Sule");
  await dialog.getByRole("button", { name: "Send Invitation" }).click();
  return { ...screen, sent, proofs };
}

test("is asked for once, and what was begun goes on by itself", async () => {
  const { sent, proofs } = await invite();
  await expect.element(proving).toBeVisible();
  await expect.element(password).toHaveFocus();
  await fitsPhone();
  await proving.getByRole("button", { name: "Go on" }).click();
  await expect.element(proving.getByText(accountTexts.passwordMissing)).toBeVisible();
  expect(proofs).toEqual([]);
  await password.fill("wrong");
  await proving.getByRole("button", { name: "Go on" }).click();
  await expect.element(proving.getByText(accountTexts.passwordWrong)).toBeVisible();
  expect(sent).toHaveLength(1);
  await password.fill("Catfish-Pond-42");
  await userEvent.keyboard("{Enter}");
  await tells("Invitation Sent");
  await expect.element(proving).not.toBeInTheDocument();
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(proofs).toEqual([{ currentPassword: "wrong" }, { currentPassword: "Catfish-Pond-42" }]);
});

test.each([
  ["Cancel", () => proving.getByRole("button", { name: "Cancel" }).click()],
  ["Escape", () => userEvent.keyboard("{Escape}")],
])("with %s the form is as it was, and sends again later", async (_how, leave) => {
  const { sent } = await invite();
  await expect.element(password).toHaveFocus();
  await leave();
  await expect.element(proving).not.toBeInTheDocument();
  await alerts(accountTexts.proofRequired);
  await expect.element(dialog.getByLabelText("Email")).toHaveValue(email);
  await expect.element(dialog.getByLabelText("Full name")).toHaveValue("Amina Sule");
  expect(sent).toHaveLength(1);
  await dialog.getByRole("button", { name: "Send Invitation" }).click();
  await password.fill("Catfish-Pond-42");
  await proving.getByRole("button", { name: "Go on" }).click();
  await tells("Invitation Sent");
});

test("where there is a second factor a code is asked for too", async () => {
  const { proofs } = await invite({
    "users.account": { ...ownerAccount, isCodeAsked: true },
  });
  await password.fill("Catfish-Pond-42");
  await proving.getByLabelText("Code from the app").fill("123456");
  await proving.getByRole("button", { name: "Go on" }).click();
  await tells("Invitation Sent");
  expect(proofs).toEqual([{ currentPassword: "Catfish-Pond-42", code: "123456" }]);
});
