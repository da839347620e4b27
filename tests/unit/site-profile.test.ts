import { describe, expect, test } from "vitest";
import { companyForm, readPhone } from "#shared/site/inputs.ts";
import { profileTexts as texts } from "#shared/site/profile-texts.ts";
import { companyTexts } from "#tests/support/company.ts";
import { gona } from "#tests/support/site.ts";

const written = companyTexts(gona);

describe("a phone number", () => {
  test.each([
    ["0803 123 4567", "+2348031234567"],
    ["803 123 4567", "+2348031234567"],
    ["+234 803 123 4567", "+2348031234567"],
    ["+234 (0) 803 123 4567", "+2348031234567"],
    ["234-803-123-4567", "+2348031234567"],
    ["00234 803 123 4567", "+2348031234567"],
    ["01 270 0000", "+23412700000"],
    ["+44 20 7946 0018", "+442079460018"],
    ["0044 20 7946 0018", "+442079460018"],
  ])("typed as %s is %s", (typed, number) => {
    expect(readPhone(typed)).toBe(number);
  });

  test.each(["0803", "12345", "0803 123 4567 890", "call me", "+0 803 123 4567", "44 20 7946 0018", "0803123456x"])(
    "typed as %s is refused",
    (typed) => {
      expect(readPhone(typed)).toBeNull();
      expect(companyForm.safeParse({ ...written, phone: typed }).error?.issues).toMatchObject([
        { path: ["phone"], message: texts.phoneInvalid },
      ]);
    },
  );
});

describe("the company", () => {
  test("is kept tidily, and what is left empty is none", () => {
    const typed = {
      ...written,
      name: " Tudun  Farms ",
      companyNumber: "rc-123456",
      address: " 4 Market Street\r\nKaduna ",
      whatsapp: " ",
      supportEmail: "",
      referencePrefix: "tudun",
      paperPrefix: "t",
    };
    expect(companyForm.parse(typed)).toMatchObject({
      companyNumber: "RC 123456",
      address: "4 Market Street\nKaduna",
      phone: null,
      whatsapp: null,
      supportEmail: null,
      regulatorNote: null,
      referencePrefix: "TUDUN",
      paperPrefix: "T",
    });
  });

  test.each([
    ["name", "G", texts.nameInvalid],
    ["name", "G".repeat(41), texts.nameInvalid],
    ["legalName", "G", texts.legalNameInvalid],
    ["legalName", "G".repeat(121), texts.legalNameInvalid],
    ["tagline", "", texts.taglineInvalid],
    ["tagline", "g".repeat(121), texts.taglineInvalid],
    ["companyNumber", "RC 12", texts.companyNumberInvalid],
    ["companyNumber", "IT 123456789", texts.companyNumberInvalid],
    ["companyNumber", "XX 123456", texts.companyNumberInvalid],
    ["address", "a".repeat(301), texts.addressInvalid],
    ["supportEmail", "nobody", texts.supportEmailInvalid],
    ["regulatorNote", "a".repeat(301), texts.regulatorNoteInvalid],
    ["referencePrefix", "G", texts.referencePrefixInvalid],
    ["referencePrefix", "GONAFA", texts.referencePrefixInvalid],
    ["referencePrefix", "G0NA", texts.referencePrefixInvalid],
    ["referencePrefix", "GP", texts.prefixesAlike],
    ["paperPrefix", "GO", texts.paperPrefixInvalid],
    ["paperPrefix", "1", texts.paperPrefixInvalid],
  ])("with %s %j is refused", (field, typed, message) => {
    expect(companyForm.safeParse({ ...written, [field]: typed }).error?.issues).toMatchObject([
      { path: [field], message },
    ]);
  });
});
