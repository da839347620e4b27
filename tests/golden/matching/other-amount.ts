import type { Scene } from "#tests/support/matching-scenes.ts";

export const otherAmount: Scene = {
  about: "credits with our reference, and another amount than is missing",
  payments: {
    duty: { from: "Ada Obi", naira: 500_000 },
    fee: { from: "Bisi Ojo", naira: 610_000 },
    part: { from: "Chidi Eze", naira: 720_000 },
    more: { from: "Dayo Alabi", naira: 830_000 },
    gone: { from: "Efe Oghene", naira: 940_000, status: "rejected" },
    whole: { from: "Femi Bello", naira: 150_000 },
    rest: { from: "Gozie Nwosu", naira: 260_000 },
  },
  lines: [
    {
      about: "₦50 less looks like stamp duty.",
      in: 499_950,
      narration: "NIP/ACCESS/ADA OBI/{duty}",
      candidates: ["other_amount: payment duty, ₦499,950. Our reference. The missing ₦50 looks like stamp duty."],
    },
    {
      about: "Up to ₦100 less look like what a bank took for it: fees fall short, so a person looks.",
      in: 609_900,
      narration: "NIP/GTB/BISI OJO/{fee}",
      candidates: ["other_amount: payment fee, ₦609,900. Our reference. The missing ₦100 look like a bank's charges."],
    },
    {
      about: "A kobo more than that is a part.",
      in: 719_899.99,
      narration: "NIP/GTB/CHIDI EZE/{part}",
      candidates: [
        "other_amount: payment part, ₦719,899.99. Our reference, and a part: ₦719,899.99 of the missing ₦720,000.",
      ],
    },
    {
      about: "More than is missing is named.",
      in: 830_100,
      narration: "NIP/UBA/DAYO ALABI/{more}",
      candidates: ["other_amount: payment more, ₦830,100. Our reference, and ₦100 more than is missing."],
    },
    {
      about: "The money of a payment that was rejected would be the backer's.",
      in: 940_000,
      narration: "NIP/UBA/EFE OGHENE/{gone}",
      candidates: [
        "other_amount: payment gone, ₦940,000. Our reference, of a payment that was rejected: the money would be kept for the backer.",
      ],
    },
    { about: "One line has shown all of it.", in: 150_000, narration: "{whole}", shows: [{ payment: "whole" }] },
    {
      about: "Who pays twice has nothing missing.",
      in: 150_000,
      narration: "NIP/UBA/FEMI BELLO/{whole}",
      candidates: [
        "other_amount: payment whole, ₦150,000. Our reference, but nothing is missing of this payment: the money would be kept for the backer.",
      ],
    },
    { about: "One line has shown a part.", in: 200_000, narration: "{rest}", shows: [{ payment: "rest" }] },
    {
      about: "What is missing after a part is sure.",
      in: 60_000,
      narration: "NIP/UBA/GOZIE NWOSU/{rest}",
      candidates: ["our_reference, sure: payment rest, ₦60,000. Our reference, and the missing amount."],
    },
  ],
};
