import type { MailContent } from "#server/core/mail-layout.ts";
import { brand } from "#shared/brand.ts";

/** The link that proves an address: good for 24 hours, once. The token stands in the fragment, which no log sees. */
export function confirmationMail(input: { fullName: string; publicUrl: string; token: string }): {
  subject: string;
  content: MailContent;
} {
  return {
    subject: `Confirm your email for ${brand.name}`,
    content: {
      title: "Confirm your email",
      paragraphs: [
        `Hello ${input.fullName},`,
        `Thank you for joining ${brand.name}. Please confirm that this is your address, then sign in with your email and password.`,
      ],
      action: {
        label: "Confirm my email",
        url: `${input.publicUrl}/auth-callback#type=signup&access_token=${input.token}`,
      },
      footnote:
        "The link works once, within 24 hours. If you didn't create an account, you can ignore this mail: nobody can use it without your confirmation.",
    },
  };
}
