import "#client/ui/mantine/fields.css";
import { Button, TextInput, useComputedColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { errorReason, errorText, fieldErrors } from "#client/lib/errors.ts";
import { formatBytes } from "#client/lib/format.ts";
import { keepSite, useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { checkFile, uploadFile } from "#client/lib/upload.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { FileDrop } from "#client/ui/forms/file-drop.tsx";
import { LeaveGuard } from "#client/ui/forms/leave-guard.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { fileRules } from "#shared/files.ts";
import { lookCss, lookTokens, rolesOf } from "#shared/site/look.ts";
import { profileTexts as texts } from "#shared/site/profile-texts.ts";
import { companyOf, productColor, type SiteFacts, type SiteProfile } from "#shared/site/site.ts";
import { type Profile, ProfileSection, writtenText } from "./profile-section.tsx";
import classes from "./site.module.css";

/** The colour and the mark, with what they make of a header, a button, a mail and a receipt before they are saved. */
export default function LookSection() {
  return <ProfileSection>{(profile) => <LookCard {...profile} />}</ProfileSection>;
}

const hexOf = (typed: string) => `#${typed.trim().replace(/^#/, "").toLowerCase()}`;
const isHex = (hex: string) => /^#[0-9a-f]{6}$/.test(hex);

function LookCard(stored: Profile) {
  const { profile } = stored;
  const router = useRouter();
  const site = useSite();
  const utils = trpc.useUtils();
  const [typed, setTyped] = useState<string | null>(null);
  /** A mark that was uploaded, or null where there is to be none; undefined for the saved one. */
  const [picked, setPicked] = useState<string | null | undefined>(undefined);
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<{ color?: string; file?: string }>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isUploading, setIsUploading] = useState(false);
  const save = trpc.site.saveLook.useMutation();

  const text = typed ?? profile.look?.color ?? "";
  const color = text.trim() === "" ? null : hexOf(text);
  const markFileId = picked === undefined ? profile.markFileId : picked;
  const [asked] = useDebouncedValue(color, 250);
  const tried = trpc.site.tryColor.useQuery(
    { color: asked ?? productColor },
    // Where a colour is saved, emptying the field shows the software's own.
    { enabled: asked === null ? profile.look !== null : isHex(asked), placeholderData: keepPreviousData },
  );
  const isCurrent = asked === color && !tried.isPlaceholderData;
  const answer = isCurrent ? tried.data : undefined;
  const isDirty = color !== (profile.look?.color ?? null) || markFileId !== profile.markFileId;

  const choose = (next: string) => {
    setTyped(next);
    setFault(({ file: ofFile }) => (ofFile ? { file: ofFile } : {}));
  };
  const upload = async (chosen: File | null) => {
    setFile(chosen);
    // One that was uploaded before isn't what stands there now.
    setPicked(undefined);
    setFault(({ color: ofColor }) => (ofColor ? { color: ofColor } : {}));
    if (!chosen) return;
    const wrong = checkFile("mark", chosen);
    if (wrong) return setFault((before) => ({ ...before, file: wrong }));
    setIsUploading(true);
    try {
      const { fileId } = await uploadFile("/uploads/mark", chosen);
      if (typeof fileId === "string") setPicked(fileId);
    } catch (error) {
      setFault((before) => ({ ...before, file: fieldErrors(error).file ?? errorText(error) }));
    } finally {
      setIsUploading(false);
    }
  };
  const removeMark = () => {
    setFile(null);
    setPicked(null);
    setFault(({ color: ofColor }) => (ofColor ? { color: ofColor } : {}));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(null);
    if (color !== null && !isHex(color)) return setFault((before) => ({ ...before, color: texts.colorInvalid }));
    if (!isDirty) return toast.info(texts.nothingToSave);
    save.mutate(
      { color, markFileId, seenVersion: profile.version },
      {
        onSuccess: (saved) => {
          setTyped(null);
          setPicked(undefined);
          setFile(null);
          keepSite(router, saved.site);
          showLook(saved.site);
          toast.success(texts.saved);
        },
        onError: (error) => {
          const wrong = fieldErrors(error);
          if (wrong.color) setFault((before) => ({ ...before, color: wrong.color ?? "" }));
          else if (errorReason(error) === "conflict" || errorReason(error) === "not_found")
            setProblem(errorText(error));
          else toast.error(texts.saveFailed, errorText(error));
        },
        onSettled: () => utils.site.profile.invalidate(),
      },
    );
  };
  const refused = answer && "fault" in answer ? answer : null;
  const tokens = answer && "roles" in answer ? answer.roles : rolesOf(profile.look);

  return (
    <Card
      title="Look"
      text="Your colour and your mark, on every page, mail, paper and share card from the moment you save."
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {problem && <Notice tone="caution" isAlert title={problem} />}
        <div className={classes.fields}>
          <TextInput
            label="Colour"
            description="Six letters and digits, like #1d6b2f. Empty: the software's green."
            autoComplete="off"
            spellCheck={false}
            value={text}
            error={fault.color ?? refused?.fault}
            inputContainer={(input) => (
              <div className={classes.color}>
                <input
                  className={classes.swatch}
                  type="color"
                  aria-label="Pick a colour"
                  value={color !== null && isHex(color) ? color : productColor}
                  onChange={({ currentTarget }) => choose(currentTarget.value)}
                />
                {input}
              </div>
            )}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
          {refused && (
            <Button className={classes.action} variant="default" onClick={() => choose(refused.nearest)}>
              Take {refused.nearest}
            </Button>
          )}
        </div>
        <div className={classes.fields}>
          <FileDrop
            label="Mark"
            hint="PNG, JPEG or WebP, from 256 to 4,096 pixels wide and high, up to 5 MB"
            accept={fileRules.mark.accept}
            file={file}
            formatSize={formatBytes}
            error={fault.file ?? ""}
            disabled={isUploading}
            onChange={(next) => void upload(next)}
          />
          {markFileId !== null && (
            <Button className={classes.action} variant="default" disabled={isUploading} onClick={removeMark}>
              {site.isDemo ? "Use the leaf again" : "Use the first letter instead"}
            </Button>
          )}
        </div>
        <Preview
          site={site}
          markPath={markFileId === null ? null : `/files/marks/${markFileId}`}
          color={color !== null && isHex(color) ? color : null}
          style={tokens}
        />
        <Button
          className={classes.action}
          type="submit"
          loading={save.isPending}
          disabled={isUploading || refused !== null}
        >
          Save look
        </Button>
        <p className={classes.written}>{writtenText(stored)}</p>
      </form>
      <LeaveGuard isActive={isDirty && !save.isPending} title="Leave without saving?" confirmLabel="Leave">
        The colour and the mark that you chose aren't saved.
      </LeaveGuard>
    </Card>
  );
}

/** The tokens of the page, as a fresh page would come with them. */
function showLook({ look }: Pick<SiteProfile, "look">) {
  const { nonce = "" } = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]') ?? {};
  const found = document.getElementById("look");
  const style =
    found ?? document.head.appendChild(Object.assign(document.createElement("style"), { id: "look", nonce }));
  style.textContent = lookCss(look);
}

type PreviewProps = {
  site: SiteFacts;
  markPath: string | null;
  color: string | null;
  style: Parameters<typeof lookTokens>[0] | null;
};

/** A header, a button, a mail and a receipt in miniature; a refused colour leaves the saved one. */
function Preview({ site, markPath, color, style }: PreviewProps) {
  const scheme = useComputedColorScheme("light");
  const { name } = site;
  const picture = markPath ? `${markPath}/192.png` : site.isDemo ? "/art/logo-mark.svg" : null;
  const mark = picture ? (
    <img src={picture} alt="" width={32} height={32} />
  ) : (
    <span className={classes.letter} style={{ background: color ?? productColor }} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  );
  return (
    <section className={classes.preview} aria-label="Preview" style={style ? lookTokens(style, scheme) : undefined}>
      <figure>
        <figcaption>Header</figcaption>
        <div className={classes.sheet}>
          <span className={classes.named}>
            {mark} {name}
          </span>
        </div>
      </figure>
      <figure>
        <figcaption>Button and link</figcaption>
        <div className={classes.sheet}>
          <span className={classes.sample}>Back this project</span>
          <span className={classes.link}>How it works</span>
        </div>
      </figure>
      <figure>
        <figcaption>Mail</figcaption>
        <div className={classes.sheet}>
          <strong className={classes.link}>{name}</strong>
          <p>We have your receipt. We review receipts within {site.reviewTime}.</p>
          <span className={classes.sample}>See your payment</span>
        </div>
      </figure>
      <figure>
        <figcaption>Receipt</figcaption>
        <div className={`${classes.sheet} ${classes.paper}`}>
          <span className={classes.named}>
            {mark} {name}
          </span>
          <small>{companyOf(site)}</small>
          <strong className={classes.title} style={style ? { color: style.text.light } : undefined}>
            Receipt
          </strong>
          <span className="money">₦1,250,000</span>
        </div>
      </figure>
    </section>
  );
}
