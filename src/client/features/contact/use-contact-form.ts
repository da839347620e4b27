import { schemaResolver } from "@mantine/form";
import { useState } from "react";
import { flushSync } from "react-dom";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { useVisitorForm } from "#client/lib/use-visitor-form.ts";
import { contactForm } from "#shared/contact.ts";
import { contactTexts } from "#shared/contact-texts.ts";

const blank = { name: "", email: "", phone: "", message: "", botCheck: false, humanVerification: "" };

const visitRequest = "I would like to visit a farm.\n\nFarm: \nDays that suit me: \nNumber of people: ";

/** Where the person writes on. */
const firstQuestion = "Farm: ";

/** The contact form from the first letter to the sent view. */
export function useContactForm() {
  const utils = trpc.useUtils();
  // Asked for at once, so that its cookie is there before the form is sent.
  trpc.auth.formToken.useQuery(undefined, { staleTime: 0 });
  const [sentFrom, setSentFrom] = useState<string | null>(null);

  const visitor = useVisitorForm({
    draftKey: "contact-draft",
    draftFields: ["name", "email", "phone", "message"],
    blank,
    validate: schemaResolver(contactForm, { sync: true }),
    send: async (values, sending) => {
      const { token: formToken } = await utils.auth.formToken.fetch();
      await utils.client.contact.send.mutate({ ...contactForm.parse(values), ...sending, formToken });
    },
    onSent: ({ email }) => {
      toast.success(contactTexts.sentTitle, contactTexts.sent);
      setSentFrom(email.trim());
    },
    onFailed: (error) => {
      toast.error(contactTexts.failedTitle, errorText(error));
      // If it was the token, the next try has a new one, without a reload too.
      void utils.auth.formToken.invalidate();
    },
  });
  const { form } = visitor;

  return {
    ...visitor,
    /** The address that the answer goes to, once the message was sent. */
    sentFrom,
    writeAnother: () => setSentFrom(null),
    /** Writes a request for a visit into the message, under what stands there, and goes to it. */
    askForVisit: () => {
      const written = form.getValues().message.trimEnd();
      // The field must stand before it can be gone to.
      flushSync(() => {
        setSentFrom(null);
        if (!written.includes(visitRequest))
          form.setFieldValue("message", written ? `${written}\n\n${visitRequest}` : visitRequest);
      });
      const field = form.getInputNode("message");
      if (!(field instanceof HTMLTextAreaElement)) return;
      field.focus();
      const place = field.value.indexOf(firstQuestion) + firstQuestion.length;
      field.setSelectionRange(place, place);
    },
  };
}

export type ContactFormState = ReturnType<typeof useContactForm>;
