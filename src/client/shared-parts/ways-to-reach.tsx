import { Anchor } from "@mantine/core";
import { useSite } from "#client/lib/site.ts";

/** Phone and WhatsApp of the operator, where they gave them. */
export function PhoneLinks({ className }: { className?: string | undefined }) {
  const { phone, whatsapp } = useSite();
  return (
    <>
      {phone && (
        <Anchor className={className} href={`tel:${phone}`} display="block">
          {phoneText(phone)}
        </Anchor>
      )}
      {whatsapp && (
        <Anchor className={className} href={`https://wa.me/${whatsapp.slice(1)}`} display="block">
          WhatsApp {phoneText(whatsapp)}
        </Anchor>
      )}
    </>
  );
}

/** "+234 803 123 4567" of a Nigerian mobile number; others stay as they are, because each country groups its own way. */
const phoneText = (number: string): string => number.replace(/^(\+234)(\d{3})(\d{3})(\d{4})$/, "$1 $2 $3 $4");
