import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { formatBytes } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { checkFile, uploadFile } from "#client/lib/upload.ts";
import { useRefusal } from "#client/lib/use-refusal.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FileDrop } from "#client/ui/forms/file-drop.tsx";
import { fileRules } from "#shared/files.ts";
import { testimonialForm } from "#shared/site/home-inputs.ts";
import { testimonialLimits, homeTexts as texts } from "#shared/site/home-texts.ts";
import classes from "./home-section.module.css";

/** Enters what a backer said, with their photo. */
export default function AddTestimonial({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Add a testimonial"
      closeButtonProps={{ "aria-label": "Close" }}
      size="lg"
    >
      <TestimonialForm onClose={onClose} />
    </Modal>
  );
}

const blank = { name: "", backed: "", words: "", agreement: "" };

function TestimonialForm({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const add = trpc.site.addTestimonial.useMutation();
  const [file, setFile] = useState<File | null>(null);
  const [fileFault, setFileFault] = useState<string | null>(null);
  /** The photo as it was stored: another try doesn't send it again. */
  const stored = useRef<{ file: File; url: string } | null>(null);
  const form = useForm({
    initialValues: blank,
    validate: schemaResolver(testimonialForm.omit({ photo: true }), { sync: true }),
  });
  const { problem, refuse } = useRefusal(form, false);
  const element = useRef<HTMLFormElement>(null);
  const focusField = (name?: string) =>
    name && element.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();

  const storePhoto = async (): Promise<string | null> => {
    if (!file) return null;
    if (stored.current?.file !== file) {
      const { url } = await uploadFile("/uploads/project-image", file);
      stored.current = { file, url: String(url) };
    }
    return stored.current.url;
  };
  const sending = useMutation({
    mutationFn: async (values: typeof blank) => add.mutateAsync({ ...values, photo: await storePhoto() }),
    onSuccess: async () => {
      toast.success(texts.added);
      onClose();
      await utils.site.invalidate();
    },
    onError: (error) => focusField(refuse(error)),
  });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setFileFault(chosen && checkFile("photo", chosen));
  };

  return (
    <form
      ref={element}
      className={classes.fields}
      noValidate
      onSubmit={form.onSubmit(
        (values) => {
          if (!fileFault) sending.mutate(values);
        },
        (errors) => focusField(Object.keys(errors)[0]),
      )}
    >
      <TextInput label="Name" name="name" autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="What they backed"
        description="As it stands under the name: Backed a catfish farm"
        name="backed"
        autoComplete="off"
        {...form.getInputProps("backed")}
      />
      <Textarea
        label="What they say"
        description={`${form.values.words.length} of ${testimonialLimits.words} characters`}
        name="words"
        autosize
        minRows={3}
        maxRows={8}
        {...form.getInputProps("words")}
      />
      <FileDrop
        label="Photo (optional)"
        hint="JPEG, PNG or WebP, up to 10 MB. It is shown round."
        accept={fileRules.photo.accept}
        file={file}
        onChange={choose}
        formatSize={formatBytes}
        error={fileFault ?? undefined}
        disabled={sending.isPending}
      />
      <TextInput
        label="How they agreed to stand here"
        description="For you and other owners: when, how, and where it is kept"
        name="agreement"
        autoComplete="off"
        {...form.getInputProps("agreement")}
      />
      {problem && <Notice tone="negative" isAlert title={problem} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={sending.isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={sending.isPending}>
          Put it onto the home page
        </Button>
      </div>
    </form>
  );
}
