import { TextInput } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import type { ProjectFormState } from "./form-values.ts";
import { ImageField } from "./image-field.tsx";
import classes from "./project-form.module.css";

const TextEditor = lazy(() => import("#client/ui/text-editor/text-editor.tsx"));

type StoryFieldsProps = { form: ProjectFormState; onUploading: (isUploading: boolean) => void };

/** The full description, the video and the main image. */
export function StoryFields({ form, onUploading }: StoryFieldsProps) {
  const { description } = form.values;
  return (
    <div className={classes.fields}>
      <Suspense
        fallback={
          <Loading label="Loading the editor">
            <Skeleton height="22rem" />
          </Loading>
        }
      >
        <TextEditor
          label="Full Description"
          description="Who runs the farm, what the money buys, what happens at harvest, what can go wrong. At least 50 characters."
          path="description"
          value={description}
          error={form.errors.description}
          onChange={(html) => form.setFieldValue("description", html)}
        />
      </Suspense>
      <TextInput
        label="Video URL"
        description="Optional: a YouTube or Vimeo address"
        type="url"
        inputMode="url"
        placeholder="https://"
        {...form.getInputProps("videoUrl")}
      />
      <ImageField form={form} onUploading={onUploading} />
    </div>
  );
}
