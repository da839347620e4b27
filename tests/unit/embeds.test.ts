import { describe, expect, test } from "vitest";
import { embedSource, readEmbed } from "#shared/embeds.ts";

const id = "dQw4w9WgXcQ";

describe("a YouTube address", () => {
  test.each([
    `https://www.youtube.com/watch?v=${id}&t=3`,
    `https://youtu.be/${id}?si=x`,
    `https://www.youtube.com/embed/${id}`,
    `https://www.youtube.com/embed/${id}?autoplay=1&origin=https://evil.example`,
    `https://www.youtube.com/live/${id}?feature=share`,
    `https://m.youtube.com/shorts/${id}`,
    `https://www.youtube-nocookie.com/embed/${id}`,
    `http://YOUTUBE.com/watch?v=${id}`,
    `https://www.youtube.com:443/watch?v=${id}`,
  ])("is known by host and id: %s", (address) => {
    expect(readEmbed(address)).toEqual({ kind: "youtube", videoId: id });
  });

  test("plays from the domain without cookies, and from nowhere else", () => {
    expect(embedSource({ kind: "youtube", videoId: id })).toBe(`https://www.youtube-nocookie.com/embed/${id}`);
  });
});

test.each([
  ["https://vimeo.com/76979871", "76979871", null],
  ["https://vimeo.com/76979871/8272103f6e?share=copy", "76979871", "8272103f6e"],
  ["https://player.vimeo.com/video/76979871?h=8272103f6e&badge=0", "76979871", "8272103f6e"],
])("a Vimeo address is known by host and id: %s", (address, videoId, privacyHash) => {
  expect(readEmbed(address)).toEqual({ kind: "vimeo", videoId, privacyHash });
});

test("a Vimeo video plays without being tracked", () => {
  const embed = { kind: "vimeo" as const, videoId: "76979871" };
  expect(embedSource({ ...embed, privacyHash: null })).toBe("https://player.vimeo.com/video/76979871?dnt=1");
  expect(embedSource({ ...embed, privacyHash: "82" })).toBe("https://player.vimeo.com/video/76979871?dnt=1&h=82");
});

test.each([
  ["https://www.facebook.com/gona.farms/videos/10153231379946729/?ref=x", "gona.farms/videos/10153231379946729/"],
  ["https://m.facebook.com/gona/videos/harvest-day/101/", "gona/videos/101/"],
  ["https://www.facebook.com/watch/live/?v=101&ref=watch", "watch/?v=101"],
  ["https://www.facebook.com/watch?v=101", "watch/?v=101"],
  [
    "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Fgona%2Fvideos%2F101%2F&show_text=0",
    "gona/videos/101/",
  ],
])("a Facebook video is known by page and id: %s", (address, path) => {
  const embed = { kind: "facebook" as const, href: `https://www.facebook.com/${path}` };
  expect(readEmbed(address)).toEqual(embed);
  const source = new URL(embedSource(embed));
  expect([source.origin, source.pathname]).toEqual(["https://www.facebook.com", "/plugins/video.php"]);
  expect([...source.searchParams]).toEqual([["href", embed.href]]);
});

test("what a player's address is made of is read as the same video again", () => {
  const addresses = [`https://youtu.be/${id}`, "https://vimeo.com/1/ab", "https://facebook.com/gona/videos/1/"];
  for (const embed of addresses.map(readEmbed)) expect(embed && readEmbed(embedSource(embed))).toEqual(embed);
});

test.each([
  `https://youtube.com.evil.example/watch?v=${id}`,
  `https://evilyoutube.com/watch?v=${id}`,
  `https://www.youtube.com.:8443/watch?v=${id}`,
  `https://evil.example/?u=https://youtu.be/${id}`,
  `https://evil.example#@www.youtube.com/watch?v=${id}`,
  `https://www.youtube.com@evil.example/watch?v=${id}`,
  `https://user:secret@www.youtube.com/watch?v=${id}`,
  `https://www.youtube.com:8443/watch?v=${id}`,
  `https://www.yоutube.com/watch?v=${id}`,
  "https://www.youtube.com/watch?v=short",
  `https://www.youtube.com/watch?v=${id}x`,
  `https://www.youtube.com/redirect?q=https://evil.example&v=${id}`,
  "https://www.youtube.com/embed/live_stream?channel=UC1",
  "https://www.youtube.com/embed/videoseries?list=PL1",
  "https://www.youtube.com/embed/..%2fredirect",
  'https://youtu.be/"onload="x',
  `javascript:alert(1)//youtu.be/${id}`,
  `data:text/html,https://youtu.be/${id}`,
  `ftp://youtu.be/${id}`,
  `//youtu.be/${id}`,
  `youtu.be/${id}`,
  "https://player.vimeo.com/video/1?h=%22%3E%3Cscript%3E",
  "https://player.vimeo.com.evil.example/video/1",
  "https://vimeo.com/ondemand/x",
  "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fevil.example%2Fgona%2Fvideos%2F1",
  "https://www.facebook.com/plugins/video.php?href=javascript%3Aalert(1)",
  `https://www.facebook.com/plugins/video.php?href=${encodeURIComponent(`https://youtu.be/${id}`)}`,
  "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Fplugins%2Fvideo.php%3Fhref%3Dx",
  "https://www.facebook.com/l.php?u=https://evil.example/videos/1",
  "https://facebook.com.evil.example/gona/videos/1",
  "not an address",
  "",
])("nothing else is a video: %s", (address) => {
  expect(readEmbed(address)).toBeNull();
});
