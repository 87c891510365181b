// What a document says about itself: its frontmatter as fields of a page, and its first heading.
import { isUtf8 } from 'node:buffer'
import { defined } from '../../base/objects.ts'
import type { PageLayout } from '../../base/page-layout.ts'
import { type SaidProblem, withLine } from '../../base/problems.ts'
import { decodeDocument } from '../../engines/content/objects.ts'
import type { PageRecord, Reference } from '../../engines/content/records.ts'
import { type PageMetadata, pageMetadata, sections } from '../../engines/markdown/page/page.ts'
import { parseFrontmatter } from '../../engines/markdown/syntax/syntax.ts'
import { toLine } from '../../engines/names/titles.ts'
import { readEmoji } from '../spaces/emoji.ts'
import { DESCRIPTION_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from './bounds.ts'

/** Fields of a page that come from its document. */
export type PageFields = Pick<
  PageRecord,
  'emoji' | 'icon' | 'description' | 'hidden' | 'noIndex' | 'noRobotsIndex' | 'layout' | 'cover' | 'variables'
>

/** Paths as written, relative to the folder of the page. */
export type CoverAsWritten = {
  readonly ref: string | undefined
  readonly refDark: string | undefined
  readonly yPos: number
  readonly height: number | undefined
}

export type DocumentMetadata = {
  /** From the frontmatter. */
  readonly title: string | undefined
  readonly fields: Partial<Omit<PageFields, 'cover'>>
  readonly cover: CoverAsWritten | undefined
  /** The first heading of the first level, else the first of any that is asked for; looked for only then. */
  readonly heading: (levelMax?: number) => string | undefined
}

const VARIABLES_MAX = 100
const VARIABLE_CHARACTERS_MAX = 256
const ICON_CHARACTERS_MAX = 100
// A title is at the beginning; parsing the rest of a long page for it would be paid for every page.
const HEADING_CHARACTERS_MAX = 4_096
const HEADING_LEVEL_MAX = 6

/** Receives problems of a document that do not prevent reading it. */
export type ReportProblem = (problem: SaidProblem) => void

/**
 * Reads any bytes. Invalid UTF-8 becomes U+FFFD here; the document itself keeps its bytes, so that nothing is lost and
 * the next export writes the same file.
 */
export function readDocumentMetadata(bytes: Uint8Array, complain: ReportProblem): DocumentMetadata {
  if (!isUtf8(bytes))
    complain({
      code: 'encoding_invalid',
      message: 'This page is not UTF-8. Its bytes are kept; some of its characters cannot be shown.',
    })
  const source = decodeDocument(bytes)
  const frontmatter = parseFrontmatter(source)
  for (const { message, line, values } of frontmatter.problems)
    complain(withLine({ code: 'frontmatter_invalid', message, line, values: { detail: message, ...values } }))
  const { metadata, problems } = pageMetadata(frontmatter.data)
  for (const { code, message, key } of problems) complain({ code, message, values: { name: key } })
  return {
    title: metadata.title === undefined ? undefined : toLine(metadata.title, TITLE_CHARACTERS_MAX),
    fields: toFields(metadata),
    cover: toCover(metadata),
    // Decoded again, so that the metadata of a whole import does not hold its texts.
    heading: (levelMax = HEADING_LEVEL_MAX) =>
      headingOf(
        decodeDocument(bytes).slice(frontmatter.bodyStart, frontmatter.bodyStart + HEADING_CHARACTERS_MAX),
        levelMax,
      ),
  }
}

/** The cover of a record; `find` resolves a destination, undefined if it leads nowhere. */
export function coverOf(
  written: CoverAsWritten,
  find: (destination: string) => Reference | undefined,
): NonNullable<PageRecord['cover']> {
  const ref = written.ref === undefined ? undefined : find(written.ref)
  const refDark = written.refDark === undefined ? undefined : find(written.refDark)
  return {
    ...(ref === undefined ? {} : { ref }),
    ...(refDark === undefined ? {} : { refDark }),
    yPos: written.yPos,
    ...(written.height === undefined ? {} : { height: written.height }),
  }
}

function headingOf(beginning: string, levelMax: number): string | undefined {
  const headings = sections(beginning).filter(({ level }) => level > 0 && level <= levelMax)
  const first = headings.find(({ level }) => level === 1) ?? headings[0]
  return first === undefined ? undefined : toLine(first.heading, TITLE_CHARACTERS_MAX)
}

/** Only what differs from the default, so that equal pages have equal bytes. */
function toFields(metadata: PageMetadata): DocumentMetadata['fields'] {
  const line = (text: string | undefined, max: number) => (text === undefined ? undefined : toLine(text, max))
  const emoji = line(metadata.emoji, ICON_CHARACTERS_MAX)
  return defined({
    description: line(metadata.description, DESCRIPTION_CHARACTERS_MAX),
    icon: line(metadata.icon, ICON_CHARACTERS_MAX),
    emoji: emoji === undefined ? undefined : readEmoji(emoji),
    hidden: metadata.hidden || undefined,
    noIndex: metadata.noIndex || undefined,
    noRobotsIndex: metadata.noRobotsIndex || undefined,
    layout: toLayout(metadata.layout),
    variables: toVariables(metadata.vars),
  })
}

function toLayout(layout: PageLayout | undefined): PageLayout | undefined {
  const isDefault = (value: unknown) => value === true || value === 'default' || value === 'hero'
  const entries = Object.entries(layout ?? {}).filter(([, value]) => !isDefault(value))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function toVariables(vars: PageMetadata['vars']): PageRecord['variables'] | undefined {
  const entries = Object.entries(vars ?? {})
    .slice(0, VARIABLES_MAX)
    .flatMap(([name, value]) => {
      const key = toLine(name, VARIABLE_CHARACTERS_MAX)
      if (key === undefined) return []
      return [
        [key, typeof value === 'string' ? (toLine(value, VARIABLE_CHARACTERS_MAX) ?? '') : value] as const,
      ]
    })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const toCover = (metadata: PageMetadata): CoverAsWritten | undefined =>
  metadata.cover === undefined && metadata.coverDark === undefined
    ? undefined
    : {
        ref: metadata.cover,
        refDark: metadata.coverDark,
        yPos: metadata.coverY ?? 0,
        height: metadata.coverHeight,
      }
