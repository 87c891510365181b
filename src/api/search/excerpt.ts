// The piece of a section that shows why it was found.
import type { Highlight } from './find.ts'

const EXCERPT_CHARACTERS_MAX = 280
const LEAD_CHARACTERS = 60

/** Up to 280 characters around the first match, cut between words, with `…` where something was left out. */
export function excerptOf(text: string, highlight: Highlight): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  if (flat.length <= EXCERPT_CHARACTERS_MAX) return flat
  const at = highlight(flat)[0]?.start ?? 0
  const start = at <= LEAD_CHARACTERS ? 0 : wordStart(flat, at - LEAD_CHARACTERS)
  const end = wordEnd(flat, start + EXCERPT_CHARACTERS_MAX)
  return `${start === 0 ? '' : '…'}${flat.slice(start, end).trim()}${end === flat.length ? '' : '…'}`.toWellFormed()
}

// How far a cut may move to reach a space; scripts without spaces are cut where they are.
const SHIFT_CHARACTERS_MAX = 20

function wordStart(text: string, index: number): number {
  const space = text.indexOf(' ', index)
  return space >= 0 && space - index <= SHIFT_CHARACTERS_MAX ? space + 1 : index
}

function wordEnd(text: string, index: number): number {
  if (index >= text.length) return text.length
  const space = text.lastIndexOf(' ', index)
  return space >= 0 && index - space <= SHIFT_CHARACTERS_MAX ? space : index
}
