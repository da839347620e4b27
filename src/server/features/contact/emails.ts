import type { Mail } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";

type Message = { name: string; email: string; phone: string; message: string; at: Date };

/** Sent to us with a visitor's contact message. A reply goes to the visitor. */
export function contactMail({ name, email, phone, message, at }: Message): Mail {
  return {
    subject: `Contact message from ${oneLine(name)}`,
    content: {
      title: "A visitor wrote to us",
      paragraphs: [
        `Name: ${oneLine(name)}\nEmail: ${email}\nPhone: ${phone}\nSent: ${formatDateTime(at)}`,
        "Message:",
        message,
      ],
      footnote: "Reply to this mail to answer the visitor. Nobody has checked that the address is really theirs.",
    },
  };
}
