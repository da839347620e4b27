/** The company: name, addresses and legal entity, as screens and mails show them. */
export const brand = {
  name: "Gona",
  legalName: "Gona Farms Limited",
  tagline: "Back a Nigerian farm. Watch it grow. Share the harvest.",
  supportEmail: "support@gona.example",
} as const;
