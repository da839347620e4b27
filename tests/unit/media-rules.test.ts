import { describe, expect, test } from "vitest";
import { readLivestream, toStoredLivestream, toStoredYoutube } from "#server/features/projects/media/rules.ts";
import { AppError } from "#server/platform/errors.ts";
import { embedSource } from "#shared/embeds.ts";

const id = "dQw4w9WgXcQ";
const frame = (source: string) => `<iframe src="${source}"></iframe>`;
const online = { isLocalUse: false };
const read = (stored: string) => readLivestream(stored, online);
const messageOf = (write: () => unknown): string => {
  try {
    return `accepted: ${String(write())}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.reason).toBe("invalid");
    expect(error.fields).toEqual({ url: [error.message] });
    return error.message;
  }
};

describe("a stored livestream", () => {
  test("by address plays as HLS, as a provider's video, or is a link", () => {
    const source = "https://live.farm.example:8443/pond/index.m3u8?token=a%20b";
    expect(read(`[url]${source}`)).toEqual({ kind: "hls", source });
    expect(read("[url]HTTPS://LIVE.farm.example/Pond.M3U8")).toEqual({
      kind: "hls",
      source: "https://live.farm.example/Pond.M3U8",
    });
    expect(read(`[url]https://www.youtube.com/live/${id}`)).toEqual({ kind: "youtube", videoId: id });
    expect(read("[url]https://vimeo.com/1")).toEqual({ kind: "vimeo", videoId: "1", privacyHash: null });
    expect(read("[url]https://farm.example/camera")).toEqual({ kind: "link", href: "https://farm.example/camera" });
    expect(read("[url]https://farm.example/?next=a.m3u8")).toMatchObject({ kind: "link" });
  });

  test("by http never plays in the page, but from this machine in local use", () => {
    expect(read("[url]http://live.farm.example/a.m3u8")).toMatchObject({ kind: "link" });
    const local = "[url]http://127.0.0.1:9000/a.m3u8";
    expect(read(local)).toMatchObject({ kind: "link" });
    expect(readLivestream(local, { isLocalUse: true })).toEqual({
      kind: "hls",
      source: "http://127.0.0.1:9000/a.m3u8",
    });
    expect(readLivestream("[url]http://127.0.0.1.evil.example/a.m3u8", { isLocalUse: true })).toMatchObject({
      kind: "link",
    });
  });

  test("by code is provider and video, whatever stood around them", () => {
    const code = `<div style="padding:56% 0 0 0"><iframe width="560" height='315' allowfullscreen onload="alert(1)" srcdoc="<script>alert(1)</script>" SRC='//player.vimeo.com/video/76979871?h=8272103f6e&amp;badge=0' title="Pond"></iframe></div><script src="https://evil.example/x.js"></script>`;
    const embed = { kind: "vimeo", videoId: "76979871", privacyHash: "8272103f6e" };
    expect(read(`[embed]${code}`)).toEqual(embed);
    expect(JSON.stringify(read(`[embed]${code}`))).not.toMatch(/alert|evil|onload|style/);
    expect(read(`[embed]\n<iframe\n  src=https://www.youtube.com/embed/${id}\n></iframe>\n`)).toMatchObject({
      videoId: id,
    });
    expect(read(`[embed]https://www.youtube-nocookie.com/embed/${id}`)).toMatchObject({ videoId: id });
  });

  test.each([
    "",
    "[url]",
    "[embed]",
    `https://youtu.be/${id}`,
    "[URL]https://farm.example",
    "[url]javascript:alert(1)",
    "[url]\tjavascript:alert(1)//https://farm.example/a.m3u8",
    "[url]data:text/html,<script>alert(1)</script>",
    "[url]//farm.example/a.m3u8",
    "[url]ftp://farm.example/a.m3u8",
    "[url]https://user:secret@farm.example/a.m3u8",
    "[url]https://farm.example/a b.m3u8",
    "[url]https://farm.example/a\r\nset-cookie: x.m3u8",
    '[url]https://farm.example/"onload="alert(1)',
    "[url]https://farm.example\\@evil.example/a.m3u8",
    "[url]https://farm.example;script-src/a.m3u8",
    "[url]https://farm.example,evil/a.m3u8",
    "[url]https://*/a.m3u8",
    "[url]https://farm.example:99999/a.m3u8",
    `[url]https://farm.example/${"a".repeat(2000)}.m3u8`,
    "[embed]javascript:alert(1)",
    "[embed]<script>alert(1)</script>",
    `[embed]${frame("javascript:alert(1)")}`,
    `[embed]${frame("data:text/html,x")}`,
    `[embed]${frame(`https://youtube.com.evil.example/embed/${id}`)}`,
    `[embed]${frame(`https://www.youtube.com@evil.example/embed/${id}`)}`,
    `[embed]${frame(`https://www.youtube.com:8443/embed/${id}`)}`,
    `[embed]${frame(`https://www.youtube.com/embed/${id}`)}${frame("https://evil.example")}`,
    `[embed]<iframe src="https://evil.example" src="https://www.youtube.com/embed/${id}"></iframe>`,
    `[embed]<iframe data-src="https://www.youtube.com/embed/${id}"></iframe>`,
    `[embed]<iframe src="https://evil.example/?src=https://www.youtube.com/embed/${id}"></iframe>`,
    `[embed]<iframe src="https://www.youtube.com/embed/${id}`,
    `[embed]<embed src="https://www.youtube.com/embed/${id}">`,
    `[embed]${frame(`https://www.youtube.com/embed/${id}`)}${" ".repeat(5000)}`,
    `[embed]<iframe ${"a ".repeat(2400)}`,
  ])("that is something else is nothing: %j", (stored) => {
    expect(read(stored)).toBeNull();
  });
});

describe("a livestream that is added", () => {
  test("is kept in one form", () => {
    expect(toStoredLivestream("  [url] https://LIVE.farm.example/a.m3u8 ")).toBe(
      "[url]https://live.farm.example/a.m3u8",
    );
    expect(toStoredLivestream("[url]http://farm.example")).toBe("[url]http://farm.example/");
    const stored = toStoredLivestream(
      `[embed]<iframe width="560" src="https://www.youtube.com/embed/${id}?si=track" onload="alert(1)"></iframe>`,
    );
    expect(stored).toBe(`[embed]${embedSource({ kind: "youtube", videoId: id })}`);
    expect(read(stored)).toEqual({ kind: "youtube", videoId: id });
  });

  test.each([
    ["", "Please enter a livestream URL"],
    [" \n", "Please enter a livestream URL"],
    ["https://farm.example/a.m3u8", "Invalid livestream format"],
    ["[video]https://farm.example", "Invalid livestream format"],
    ["[url]", "Invalid livestream URL"],
    ["[url]farm.example/a.m3u8", "Invalid livestream URL"],
    ["[url]javascript:alert(1)", "Invalid livestream URL"],
    ["[url]https://user@farm.example", "Invalid livestream URL"],
    ["[embed]", "Invalid embed code"],
    ["[embed]   ", "Invalid embed code"],
    [`[embed]${frame("https://evil.example/live")}`, "Invalid embed code"],
    [`[embed]${frame(`https://youtube.com.evil.example/embed/${id}`)}`, "Invalid embed code"],
  ])("is refused as the specification says: %j", (typed, message) => {
    expect(messageOf(() => toStoredLivestream(typed))).toBe(message);
  });
});

describe("a YouTube entry that is added", () => {
  test.each([`https://youtu.be/${id}?si=x`, ` www.youtube.com/watch?v=${id}`, `m.youtube.com/live/${id}`])(
    "is kept in one form: %s",
    (typed) => {
      expect(toStoredYoutube(typed)).toBe(`https://www.youtube.com/watch?v=${id}`);
    },
  );

  test.each([
    ["", "Please enter a YouTube URL"],
    ["  ", "Please enter a YouTube URL"],
    ["https://vimeo.com/1", "Invalid YouTube URL"],
    [`https://evil.example/youtu.be/${id}`, "Invalid YouTube URL"],
    [`javascript:alert("youtu.be/${id}")`, "Invalid YouTube URL"],
    [`data:text/html,youtu.be/${id}`, "Invalid YouTube URL"],
    [`youtu.be@evil.example/${id}`, "Invalid YouTube URL"],
    ["https://www.youtube.com/", "Invalid YouTube URL"],
  ])("is refused as the specification says: %j", (typed, message) => {
    expect(messageOf(() => toStoredYoutube(typed))).toBe(message);
  });
});
