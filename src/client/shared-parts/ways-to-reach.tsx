import { Anchor } from "@mantine/core";
import { useSite } from "#client/lib/site.ts";

/** Phone and WhatsApp of the operator, where they gave them. */
export function PhoneLinks({ className }: { className?: string | undefined }) {
  const { phone, whatsapp } = useSite();
  return (
    <>
      {phone && (
        <Anchor className={className} href={`tel:${phone}`} display="block">
          {phone}
        </Anchor>
      )}
      {whatsapp && (
        <Anchor className={className} href={`https://wa.me/${whatsapp.slice(1)}`} display="block">
          WhatsApp {whatsapp}
        </Anchor>
      )}
    </>
  );
}
