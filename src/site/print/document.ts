// A print view, piece by piece: a title, a table of contents, and every page, with links between the pages. One page is
// rendered at a time and sent before the next, so that a large space costs time but no memory.
import { setImmediate } from 'node:timers/promises'
import type { SpecSight } from '../../access/spec-sight.ts'
import { indexOf } from '../../api/content/index-of-content.ts'
import { readText } from '../../api/content/reads.ts'
import { findVersionsDigest } from '../../api/openapi-specs/rows.ts'
import { addressesFrom, type PageAddress } from '../../api/rendering/addresses.ts'
import {
  KEPT_MILLISECONDS,
  type RenderServices,
  renderMarkdown,
  variablesOf,
} from '../../api/rendering/render.ts'
import type { SpaceRow } from '../../api/spaces/rows.ts'
import { sha256 } from '../../base/canonical.ts'
import { type Html, html, trusted } from '../../base/html.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Hash } from '../../engines/content/records.ts'
import { withoutColours } from '../../engines/markdown/html/values.ts'
import type { Services } from '../../http/context.ts'
import { VERSION } from '../../platform/version.ts'
import type { Made } from '../kept-answers.ts'
import { chosenIconsIn, renderIconRules } from '../layout/chosen-icons.ts'
import { renderDay } from '../layout/dates.ts'
import { isRightToLeft } from '../layout/document.ts'
import { titleIcon } from '../layout/title-icon.ts'
import { toSpaceView } from '../views.ts'
import type { PrintedPage } from './plan.ts'

export type PrintView = {
  /** Which specifications it shows: what the person may see who asked for the address. */
  readonly sight: SpecSight
  readonly space: SpaceRow
  readonly revisionId: string
  readonly content: Content
  /** The requested page, or null for all pages. */
  readonly page: string | null
  readonly isAlone: boolean
  readonly pages: readonly PrintedPage[]
  /** When the revision was created. */
  readonly createdAt: Date
  /** The number of the change request whose content it is. */
  readonly changeRequest: number | null
}

/**
 * Everything that a document depends on: its content by its revision and its sight, the key that signs its addresses,
 * and the rest as it is.
 */
export async function printedFrom(
  { db, urls, signingKey }: Pick<Services, 'db' | 'urls' | 'signingKey'>,
  { space, content, sight, revisionId, page, isAlone, changeRequest }: PrintView,
): Promise<unknown[]> {
  const { title, language, emoji } = toSpaceView(space)
  return [
    ...[VERSION, signingKey.id, urls.root(''), space.id, title, language, emoji],
    ...[revisionId, page, isAlone, changeRequest],
    ...[sight, content.expansion?.digest, await findVersionsDigest(db, space, sight)],
  ]
}

/** Colouring code takes time for each block, so a long document is printed plain. */
const COLOURED_PAGES_MAX = 300
// Documents read at once, so that a large space takes hundreds of queries, not thousands.
const DOCUMENTS_READ = 50

export async function* renderPrint(
  services: RenderServices & Pick<Services, 'rendering'>,
  view: PrintView,
  styles: string,
  made: Made,
): AsyncGenerator<string> {
  const { content, pages } = view
  const { apiParts, highlighter } = services.rendering
  const icons = new Set<string>()
  const numbers = new Map(pages.map(({ id }, at) => [id, at + 1]))
  yield String(begin(view, { text: styles, nonce: made.secret }))
  if (pages.length > 1) yield* contentsOf(pages)
  const address = addressIn(services, view, numbers)
  const printed = sha256(JSON.stringify([view.changeRequest, pages.map(({ id }) => id)]))
  for (const [at, { id, record, depth }] of pages.entries()) {
    if (at % DOCUMENTS_READ === 0) await readAhead(services, content, pages.slice(at, at + DOCUMENTS_READ))
    const anchor = anchorOf(numbers, id)
    const head = html`<section class="print-page print-depth-${Math.min(depth, DEPTH_SHOWN_MAX)}${record.type === 'group' && ' print-group'}" aria-labelledby="${anchor}">
<h1 class="print-heading" id="${anchor}" dir="auto">${titleIcon({ emoji: record.emoji ?? null, icon: record.icon ?? null })}${record.title}</h1>
${record.description !== undefined && html`<p class="lead" dir="auto">${record.description}</p>`}
`
    for (const name of chosenIconsIn(head.markup)) icons.add(name)
    yield head.markup
    if (record.document !== null) {
      const { html: body, how } = await renderMarkdown(
        services,
        view.space.id,
        {
          markdown: await readText(services, record.document, content),
          pageTitle: record.title,
          idPrefix: `${anchor}.`,
          loadsAtOnce: true,
          variables: variablesOf(content, record),
        },
        {
          find: addressesFrom(services, content, record.file ?? '', address),
          highlight:
            pages.length > COLOURED_PAGES_MAX ? withoutColours(highlighter.highlight) : highlighter.highlight,
          showParts: apiParts.writerFor(view.space.id, view.sight, content, record.file ?? ''),
          given: [content, record.file ?? '', printed, view.sight],
        },
      )
      if (how !== 'whole') made.keepAtMost(KEPT_MILLISECONDS[how])
      for (const name of chosenIconsIn(body)) icons.add(name)
      yield String(html`<div class="content" dir="auto">${trusted(body)}</div>\n`)
    }
    yield '</section>\n'
    // Other requests are served between two pages.
    await setImmediate()
  }
  yield '</main>\n'
  // The icons are known only at the end, and the document has to embed them, because it can be saved as a file.
  const rules = await renderIconRules([...icons].slice(0, ICONS_MAX))
  yield String(html`<style nonce="${made.secret}">${trusted(rules)}</style>\n</body>\n</html>\n`)
}

/** Different icons; a drawing takes about 700 bytes. */
const ICONS_MAX = 500

const DEPTH_SHOWN_MAX = 6

/** Ids of pages: `p7` for the seventh. The ids within a page follow it after a dot. */
export const anchorOf = (numbers: ReadonlyMap<string, number>, id: string): string => `p${numbers.get(id)}`

/** Links to pages that are printed stay in the document, the others lead to the reader. */
export function addressIn(
  { urls }: Pick<Services, 'urls'>,
  { space, content, changeRequest }: PrintView,
  numbers: ReadonlyMap<string, number>,
): PageAddress {
  const { paths } = indexOf(content)
  return (id, anchor) => {
    if (numbers.has(id)) return `##${anchorOf(numbers, id)}${anchor === '' ? '' : `.${anchor}`}`
    const path = paths.get(id) ?? ''
    const url =
      changeRequest === null ? urls.page(space.id, path) : urls.preview(space.id, changeRequest, path)
    return anchor === '' ? url : `${url}#${anchor}`
  }
}

function begin(
  { space, pages, createdAt, changeRequest }: PrintView,
  styles: { readonly text: string; readonly nonce: string },
): Html {
  const { title, language, emoji } = toSpaceView(space)
  const [first] = pages
  const isOne = pages.length === 1 && first !== undefined
  return html`<!doctype html>
<html lang="${language ?? 'en'}"${isRightToLeft(language) && html` dir="rtl"`} data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${isOne ? `${first.record.title} · ${title}` : title}</title>
<style nonce="${styles.nonce}">${trusted(styles.text)}</style>
</head>
<body class="print">
<main class="print-document">
<header class="print-cover${isOne && ' print-cover-small'}">
<p class="print-title" dir="auto">${titleIcon({ emoji })}${title}</p>
<p class="print-facts">${changeRequest !== null && html`As change request #${changeRequest} would have it. `}As of ${renderDay(createdAt.toISOString())}</p>
</header>
`
}

function* contentsOf(pages: readonly PrintedPage[]): Generator<string> {
  yield '<nav class="print-contents" aria-labelledby="print:contents">\n<h1 id="print:contents">Contents</h1>\n<ol role="list">\n'
  for (const [at, { record, depth }] of pages.entries())
    yield String(
      html`<li class="print-entry-${Math.min(depth, DEPTH_SHOWN_MAX)}"><a href="#p${at + 1}" dir="auto">${record.title}</a></li>\n`,
    )
  yield '</ol>\n</nav>\n'
}

/** Fills the cache of documents, from which they are then taken one by one. */
export async function readAhead(
  services: Pick<Services, 'objects'>,
  { expansion }: Content,
  pages: readonly PrintedPage[],
): Promise<void> {
  const documents: Hash[] = []
  for (const { record } of pages)
    if (record.document !== null && !expansion?.texts.has(record.document)) documents.push(record.document)
  await services.objects.getMany(documents)
}
