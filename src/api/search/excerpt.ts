// The excerpt of a section that shows why it was found.
import type { PageSection } from '../../compute/page-projection.ts'
import { lastBlank } from '../../engines/search/highlight.ts'
import type { Highlight } from './find.ts'

const EXCERPT_CHARACTERS_MAX = 280
const LEAD_CHARACTERS = 60

/** Up to 280 characters around the first match, cut between words, with `…` where something was left out. */
export function excerptOf(section: PageSection, highlight: Highlight): string {
  const flat = inOneLine(section)
  if (flat.length <= EXCERPT_CHARACTERS_MAX) return flat
  const at = highlight.first(flat) ?? 0
  const start = at <= LEAD_CHARACTERS ? 0 : wordStart(flat, at - LEAD_CHARACTERS)
  const end = lastBlank(flat, start + EXCERPT_CHARACTERS_MAX)
  return `${start === 0 ? '' : '…'}${flat.slice(start, end).trim()}${end === flat.length ? '' : '…'}`.toWellFormed()
}

const lines = new WeakMap<PageSection, string>()

/** Sections shown often are cached, and so are their lines. */
function inOneLine(section: PageSection): string {
  const known = lines.get(section)
  if (known !== undefined) return known
  const line = section.body.replaceAll(/\s+/g, ' ').trim()
  lines.set(section, line)
  return line
}

// How far a cut may move to reach a space; scripts without spaces are cut anywhere.
const SHIFT_CHARACTERS_MAX = 20

function wordStart(text: string, index: number): number {
  const space = text.slice(index, index + SHIFT_CHARACTERS_MAX + 1).indexOf(' ')
  return space >= 0 ? index + space + 1 : index
}
