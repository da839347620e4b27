import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, Switch, Textarea, TextInput } from "@mantine/core";
import { type SubmitEvent, Suspense, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PageLead, PageSummary, PageText } from "#client/shared-parts/page-text.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { formatDate } from "#shared/dates.ts";
import { pageTextTexts as texts } from "#shared/site/page-texts.ts";
import { variablesOf, variableWords, written } from "#shared/site/page-variables.ts";
import { type OwnPage, pageTitles } from "#shared/site/pages.ts";
import { SectionSkeleton } from "./section-skeleton.tsx";
import { keepTextDraft, readTextDraft, type TextDraft } from "./text-draft.ts";
import classes from "./texts.module.css";

const TextEditor = lazyPart(() => import("#client/ui/text-editor/text-editor.tsx"));

type PageEditorProps = { page: OwnPage; userId: string; onClose: () => void };

/** Writes another version of a text. What isn't saved outlives a reload and the end of a session. */
export default function PageEditor(props: PageEditorProps) {
  const query = trpc.site.pageSource.useQuery({ page: props.page }, { staleTime: 0, gcTime: 0 });
  if (query.data) return <EditorForm {...props} source={query.data} />;
  if (!query.isError) return <SectionSkeleton />;
  return (
    <LoadFailed
      query={query}
      title="The text could not be loaded"
      action={
        <Button variant="default" onClick={props.onClose}>
          Back to the texts
        </Button>
      }
    />
  );
}

type Faults = { [Field in keyof TextDraft]?: string };

function EditorForm({
  page,
  userId,
  source,
  onClose,
}: PageEditorProps & { source: RouterOutputs["site"]["pageSource"] }) {
  const utils = trpc.useUtils();
  const [typed, setTyped] = useState<TextDraft | null>(() => readTextDraft({ userId, page }));
  const [faults, setFaults] = useState<Faults>({});
  const blank = { seenVersion: source.version, html: source.html, isMaterial: false, changeNote: "", inForceOn: "" };
  const draft = typed ?? blank;
  // A draft of another text may be older than this rule.
  const isMaterial = page === "terms" && draft.isMaterial;
  const isOutdated = draft.seenVersion !== source.version;

  const preview = trpc.site.previewPage.useMutation({ onError: (error) => refuse(error) });
  const save = trpc.site.savePage.useMutation({
    onSuccess: () => {
      keepTextDraft({ userId, page }, null);
      toast.success(texts.saved);
      onClose();
    },
    onError: (error) => {
      refuse(error);
      if (errorReason(error) === "conflict") void utils.site.pageSource.invalidate();
    },
    onSettled: () => {
      void utils.site.page.invalidate();
      return utils.site.pages.invalidate();
    },
  });
  const refuse = (error: Parameters<typeof fieldErrors>[0]) => {
    const wrong: Faults = fieldErrors(error);
    setFaults(wrong);
    const first = (["html", "changeNote", "inForceOn"] as const).find((field) => wrong[field]);
    if (first) document.querySelector<HTMLElement>(`[data-path="${first}"]`)?.focus();
    else toast.error(texts.saveFailed, errorText(error));
  };
  const change = (changed: Partial<TextDraft>) => {
    const next = { ...draft, ...changed };
    setTyped(next);
    setFaults({});
    keepTextDraft({ userId, page }, next);
  };
  const discard = () => {
    keepTextDraft({ userId, page }, null);
    setTyped(null);
    preview.reset();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setFaults({});
    save.mutate({ ...draft, page, isMaterial, inForceOn: draft.inForceOn || null });
  };
  const shown = preview.data;
  return (
    <Card
      title={pageTitles[page]}
      text={
        source.version === 0
          ? "You begin with the text of the software's makers. Saved, it is your version 1."
          : `You begin with version ${source.version}. Saved, it is version ${source.version + 1}.`
      }
      aside={
        <Button variant="default" onClick={onClose}>
          Back to the texts
        </Button>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {source.isShipped && <Notice tone="caution" title={texts.draft} />}
        {source.comesAt && !isOutdated && (
          <Notice tone="neutral" title={`Version ${source.version} is in force from ${formatDate(source.comesAt)} on`}>
            <p>You begin with its words. Saved for an earlier day, yours takes its place.</p>
          </Notice>
        )}
        {isOutdated && (
          <Notice tone="caution" isAlert title={texts.changedMeanwhile}>
            <div className={classes.actions}>
              <a href={`/${page}?version=${source.version}`} target="_blank" rel="noreferrer">
                Read version {source.version}
              </a>
              <Button size="compact-sm" variant="default" onClick={() => change({ seenVersion: source.version })}>
                Mine follows it
              </Button>
            </div>
          </Notice>
        )}
        <Suspense fallback={<SectionSkeleton />}>
          <TextEditor
            label="Text"
            description="The first paragraph stands under the title. A quotation after it that begins with a bold line is shown as a notice. Headings of the second level make the contents."
            path="html"
            value={draft.html}
            error={faults.html}
            onChange={(html) => change({ html })}
            inserts={{
              label: "Insert a variable",
              options: variablesOf(page).map((variable) => ({
                value: written(variable),
                label: `${variableWords[variable]} ${written(variable)}`,
              })),
            }}
          />
        </Suspense>
        {page === "terms" ? (
          <Switch
            label="This change is material"
            description="Backers get a mail 14 days before it, and are asked to agree to it before they buy again."
            checked={isMaterial}
            onChange={({ currentTarget }) => change({ isMaterial: currentTarget.checked })}
          />
        ) : (
          <p className={classes.fine}>{texts.tellsNobody}</p>
        )}
        <Textarea
          label="What changes"
          description={isMaterial ? "Backers read this in the mail, and when they are asked" : "Optional, for owners"}
          autosize
          minRows={2}
          maxRows={8}
          data-path="changeNote"
          value={draft.changeNote}
          error={faults.changeNote}
          required={isMaterial}
          onChange={({ currentTarget }) => change({ changeNote: currentTarget.value })}
        />
        <TextInput
          label="In force from"
          description="Empty: from now on"
          type="date"
          data-path="inForceOn"
          value={draft.inForceOn}
          error={faults.inForceOn}
          onChange={({ currentTarget }) => change({ inForceOn: currentTarget.value })}
        />
        <div className={classes.actions}>
          <Button type="submit" loading={save.isPending} disabled={isOutdated}>
            Save
          </Button>
          <Button
            variant="default"
            loading={preview.isPending}
            onClick={() => preview.mutate({ page, html: draft.html })}
          >
            Preview
          </Button>
          {typed && (
            <Button variant="subtle" onClick={discard}>
              Discard what I wrote
            </Button>
          )}
        </div>
        <p className={classes.fine}>All owners get a mail with what was before and what is now.</p>
      </form>
      {shown && (
        <section className={classes.preview} aria-label="Preview">
          <h3>{pageTitles[page]}</h3>
          <p className={classes.lead}>
            <PageLead html={shown.lead} />
          </p>
          {shown.summary && (
            <div className={classes.summary}>
              <PageSummary page={page} {...shown.summary} />
            </div>
          )}
          <PageText html={shown.body} />
        </section>
      )}
    </Card>
  );
}
