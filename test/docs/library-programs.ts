import { page } from "./pages.js";

const { text } = page("docs/library.md");

/** The programs on the page about the library: each match has a name and a text. */
export const programs = [...text.matchAll(/<!-- program: (\S+) -->\n```\w+\n(.*?)```/gs)];

/** What some of them print: each match has a command without "node", and the output. */
export const outputs = [...text.matchAll(/<!-- prints: node (.*?) -->\n```text\n(.*?)\n```/gs)];
