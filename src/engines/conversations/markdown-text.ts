// The words of a Markdown or plain message. Support tools use little of Markdown, so marks are stripped line by line
// and everything else stays as it is.

/** Newlines stay; so does code, because it says what went wrong. */
export const markdownToText = (markdown: string): string =>
  markdown
    .replaceAll(/^[ \t]{0,3}(?:```|~~~)[^\n]{0,100}$/gm, '')
    .replaceAll(/!\[[^[\]\n]{0,300}\]\([^()\s]{0,2000}\)/g, '')
    .replaceAll(/\[([^[\]\n]{1,300})\]\([^()\s]{0,2000}\)/g, '$1')
    .replaceAll(/^[ \t]{0,3}#{1,6}[ \t]+/gm, '')
    .replaceAll(/[*_]{2,3}(?=\S)|(?<=\S)[*_]{2,3}/g, '')
    .replaceAll('`', '')
