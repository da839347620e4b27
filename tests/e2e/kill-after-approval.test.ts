import { rmSync } from "node:fs";
import { expect } from "playwright/test";
import { createApiClient, demoSignIns } from "#tests/support/api-client.ts";
import { test } from "#tests/support/browser-test.ts";
import { startBuiltServer } from "#tests/support/built-server.ts";
import { startMailServer } from "#tests/support/mail-server.ts";

test("a server killed right after an approval has approved, and the mail goes out once after the restart", async () => {
  test.setTimeout(180_000);
  const mail = await startMailServer();
  const env = { SMTP_URL: mail.url, REQUIRE_EMAIL_CONFIRMATION: "false" };
  // On an empty folder, as the first start of all: it migrates and loads the demo itself.
  const first = await startBuiltServer({ env });
  try {
    const { owner } = demoSignIns(first.output());
    const admin = createApiClient(first.url);
    await admin.auth.adminSignIn.mutate(owner);
    const { items } = await admin.payments.list.query({ status: "pending" });
    const payment = items[0];
    if (!payment) throw new Error("the demo has no pending payment");
    // The mail server is down while the payment is approved, and the process dies at once.
    await mail.pause();
    await admin.payments.setStatus.mutate({
      paymentId: payment.id,
      status: "approved",
      seenStatus: "pending",
      seenReceiptSha256: payment.receipt.sha256,
    });
    await first.kill("SIGKILL");
    expect(mail.messages).toHaveLength(0);

    await mail.resume();
    const second = await startBuiltServer({ env, dataDir: first.dataDir });
    const again = createApiClient(second.url);
    await again.auth.adminSignIn.mutate(owner);
    const after = (await again.payments.list.query({})).items.find(({ id }) => id === payment.id);
    expect(after?.status).toBe("approved");

    const isConfirmation = (message: { text?: string | undefined; recipients: string[] }) => {
      return message.recipients.includes(payment.backerEmail) && (message.text ?? "").includes(payment.projectTitle);
    };
    await mail.waitFor(isConfirmation, 90_000);
    // The outbox sends in order: another one of the same mail would come before the mail of what happens next.
    await again.auth.requestPasswordReset.mutate({ email: payment.backerEmail });
    await mail.waitFor(({ text }) => (text ?? "").includes("/reset-password#"), 90_000);
    expect(mail.messages.filter(isConfirmation)).toHaveLength(1);
    await second.kill("SIGTERM");
  } finally {
    await first.kill("SIGKILL");
    rmSync(first.dataDir, { recursive: true, force: true });
    await mail.stop();
  }
});
