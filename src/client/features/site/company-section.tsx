import "#client/ui/mantine/fields.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { keepSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { companyForm } from "#shared/site/inputs.ts";
import {
  type CompanyField,
  companyFields,
  companyLabels,
  papersStay,
  referencesStay,
  profileTexts as texts,
} from "#shared/site/profile-texts.ts";
import { type Profile, ProfileSection, writtenText } from "./profile-section.tsx";
import classes from "./site.module.css";

type Faults = Partial<Record<CompanyField, string>>;

/** The company: names, numbers, ways to reach it, and what references and papers begin with. */
export default function CompanySection() {
  return <ProfileSection>{(profile) => <CompanyCard {...profile} />}</ProfileSection>;
}

const groups: { title: string; fields: CompanyField[] }[] = [
  { title: "The site", fields: ["name", "tagline"] },
  { title: "The company that runs it", fields: ["legalName", "companyNumber", "address", "regulatorNote"] },
  { title: "How people reach you", fields: ["phone", "whatsapp", "supportEmail"] },
  { title: "What references and papers begin with", fields: ["referencePrefix", "paperPrefix"] },
];

const descriptions: Partial<Record<CompanyField, string>> = {
  name: "In the header, in mails and on papers",
  tagline: "One line under the name",
  legalName: "As it is registered",
  companyNumber: "RC, BN or IT and the digits",
  regulatorNote: "In the footer and on Trust & Safety",
  phone: "In the footer and on the contact page",
  whatsapp: "People write to it from the footer",
  supportEmail: "Contact messages and job applications are announced here.",
};

const longFields: CompanyField[] = ["address", "regulatorNote"];
const inputOf: Partial<Record<CompanyField, { type: string }>> = {
  phone: { type: "tel" },
  whatsapp: { type: "tel" },
  supportEmail: { type: "email" },
};

function CompanyCard(saved: Profile) {
  const { profile, arePrefixesFixed } = saved;
  const router = useRouter();
  const utils = trpc.useUtils();
  /** The typed text of each field, and the saved text that it was typed over. */
  const [typed, setTyped] = useState<Partial<Record<CompanyField, { text: string; over: string }>>>({});
  const [faults, setFaults] = useState<Faults>({});
  const [problem, setProblem] = useState<string | null>(null);
  const save = trpc.site.saveCompany.useMutation();
  const savedText = (field: CompanyField) => profile[field] ?? "";
  const textOf = (field: CompanyField) => typed[field]?.text ?? savedText(field);
  const isDirty = companyFields.some((field) => textOf(field) !== savedText(field));

  const type = (field: CompanyField, text: string) => {
    setTyped((before) => ({ ...before, [field]: { text, over: before[field]?.over ?? savedText(field) } }));
    setFaults(({ [field]: _mended, ...others }) => others);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    const values = Object.fromEntries(companyFields.map((field) => [field, textOf(field)])) as Record<
      CompanyField,
      string
    >;
    const read = companyForm.safeParse(values);
    if (!read.success) return refuse(faultsOf(read.error.issues));
    if (!isDirty) return toast.info(texts.nothingToSave);
    setFaults({});
    save.mutate(
      { ...values, seenVersion: profile.version },
      {
        onSuccess: ({ site }) => {
          setTyped({});
          keepSite(router, site);
          toast.success(texts.saved);
        },
        onError: (error) => {
          const wrong = fieldErrors(error);
          if (Object.keys(wrong).length > 0) refuse(wrong);
          else if (errorReason(error) === "conflict") setProblem(errorText(error));
          else toast.error(texts.saveFailed, errorText(error));
        },
        onSettled: () => Promise.all([utils.site.profile.invalidate(), utils.settings.list.invalidate()]),
      },
    );
  };
  const refuse = (wrong: Faults) => {
    setFaults(wrong);
    const first = companyFields.find((field) => wrong[field]);
    if (first) document.getElementById(`company-${first}`)?.focus();
  };
  const fixed = arePrefixesFixed && {
    referencePrefix: referencesStay(profile.referencePrefix),
    paperPrefix: papersStay(profile.paperPrefix),
  };

  const inputFor = (field: CompanyField) => {
    const given = typed[field];
    const meanwhile = given && given.over !== savedText(field) && given.text !== savedText(field);
    const stays = fixed && (field === "referencePrefix" || field === "paperPrefix") ? fixed[field] : undefined;
    const props = {
      id: `company-${field}`,
      className: longFields.includes(field) ? classes.whole : undefined,
      label: companyLabels[field],
      description: stays ?? descriptions[field],
      value: textOf(field),
      readOnly: stays !== undefined,
      autoComplete: "off",
      error:
        faults[field] ??
        (meanwhile && `Another owner has saved ${savedText(field) ? `“${savedText(field)}”` : "nothing"} here.`),
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => type(field, currentTarget.value),
    };
    return longFields.includes(field) ? (
      <Textarea key={field} autosize minRows={2} maxRows={6} {...props} />
    ) : (
      <TextInput key={field} {...inputOf[field]} {...props} />
    );
  };

  return (
    <Card title="Company" text="Who runs this site. Every page, mail and paper names it from the moment you save.">
      <form className={classes.form} onSubmit={submit} noValidate>
        {problem && <Notice tone="caution" isAlert title={problem} />}
        {groups.map(({ title, fields }) => (
          <fieldset key={title} className={classes.group}>
            <legend>{title}</legend>
            {fields.map(inputFor)}
          </fieldset>
        ))}
        <Button className={classes.action} type="submit" loading={save.isPending}>
          Save company
        </Button>
        <p className={classes.written}>
          {writtenText(saved)} All owners get a mail with what was before and what is now.
        </p>
      </form>
      <LeaveGuard isActive={isDirty && !save.isPending} title="Leave without saving?" confirmLabel="Leave">
        What you typed about the company is lost.
      </LeaveGuard>
    </Card>
  );
}

const faultsOf = (issues: readonly { path: PropertyKey[]; message: string }[]): Faults => {
  const faults: Faults = {};
  for (const { path, message } of issues) {
    const field = companyFields.find((one) => one === path[0]);
    if (field) faults[field] ??= message;
  }
  return faults;
};
