// Markdown as safe HTML, within the bounds of what one page may cost.
import { assert } from '../../base/assert.ts'
import { sha256 } from '../../base/canonical.ts'
import { Failure } from '../../base/errors.ts'
import { html } from '../../base/html.ts'
import type { AddressKey, AddressTarget, AsksAddresses } from '../../compute/addresses.ts'
import type { AsksOfPage, PageHtml, PageHtmlInput } from '../../compute/page-html.ts'
import type { Dependencies } from '../../compute/single-flight.ts'
import type { Content } from '../../engines/content/content.ts'
import { decodeDocument } from '../../engines/content/objects.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import type { HtmlOutlineEntry, ShowParts } from '../../engines/markdown/html/html.ts'
import type { Highlight } from '../../engines/markdown/html/values.ts'
import type { Services } from '../../http/context.ts'
import type { RenderedPage } from '../../http/rendering.ts'

export type RenderServices = Pick<Services, 'compute' | 'log' | 'objects' | 'urls' | 'signingKey'>

/** A rendered body. */
export type Rendered = {
  readonly html: string
  readonly outline: readonly HtmlOutlineEntry[]
  /**
   * `partial`: some code has no colours yet. It is shown as text if it is `plain`, which exceeds what one page may cost, or
   * `failed`, where something else went wrong.
   */
  readonly how: 'whole' | 'partial' | 'plain' | 'failed'
}

/**
 * How long what was not rendered as a whole may be kept: what failed may be well again soon; what was too costly costs
 * it again, but a busy machine may have been the reason.
 */
export const KEPT_MILLISECONDS = { partial: 60_000, failed: 60_000, plain: 10 * 60_000 } as const

/** The lookups that a rendering needs. */
export type RenderEnvironment = {
  find(asked: AddressKey): AddressTarget
  readonly highlight: Highlight | undefined
  /** Parts of API descriptions; without it, each is replaced by a link. */
  readonly showParts?: ShowParts | undefined
  /** What `find` depends on, if concurrent requests may share a rendering. */
  readonly given?: Dependencies
}

/** Values that a page of this content may name. */
export const variablesOf = (content: Content, record: Pick<PageRecord, 'variables'>) => ({
  ...Object.fromEntries(content.variables),
  ...record.variables,
})

const digests = new WeakMap<RenderedPage, string>()

/** Identifies what is shown; computed once for each rendering. */
export function digestOf(rendered: RenderedPage): string {
  const digest = digests.get(rendered) ?? sha256(JSON.stringify([rendered.html, rendered.outline]))
  digests.set(rendered, digest)
  return digest
}

/** Never throws because of the page's content. Throws `unavailable` if too much else waits. */
export async function renderMarkdown(
  { compute, log, objects }: Pick<RenderServices, 'compute' | 'log' | 'objects'>,
  spaceId: string,
  input: Omit<PageHtmlInput, 'isColoured' | 'showsParts'>,
  { find, highlight, showParts, given }: RenderEnvironment,
): Promise<Rendered> {
  const answers = answersOf(addressAnswers(objects, find), { highlight, showParts })
  const isColoured = highlight !== undefined
  const showsParts = showParts !== undefined
  try {
    const outcome = await compute.run(
      'pageHtml',
      spaceId,
      { ...input, isColoured, showsParts },
      answers,
      given,
    )
    return outcome.kind === 'done' ? toRendered(outcome.value, input.markdown) : plain(input.markdown)
  } catch (error) {
    if (error instanceof Failure) throw error
    log.error({ err: error, space: spaceId }, 'a page cannot be rendered')
    return { ...plain(input.markdown), how: 'failed' }
  }
}

export const answersOf = (
  addresses: AsksAddresses,
  { highlight, showParts }: Pick<RenderEnvironment, 'highlight' | 'showParts'>,
): AsksOfPage => ({
  ...addresses,
  async codes(blocks) {
    assert(highlight !== undefined, 'colours are asked for where there are any')
    return highlight(blocks)
  },
  async parts(parts) {
    assert(showParts !== undefined, 'parts are asked for where there are any')
    return showParts(parts)
  },
})

/** Answers lookups of addresses and of the documents behind them. */
export const addressAnswers = (
  objects: Services['objects'],
  find: (asked: AddressKey) => AddressTarget,
): AsksAddresses => ({
  addresses: async asked => asked.map(find),
  texts: documents => textsOf(objects, documents),
})

export async function textsOf(objects: Services['objects'], documents: readonly string[]): Promise<string[]> {
  const bodies = await objects.getMany(documents)
  return documents.map(hash => {
    const body = bodies.get(hash)
    assert(body !== undefined, `document ${hash} of a revision is there`)
    return decodeDocument(body)
  })
}

const toRendered = (page: PageHtml, markdown: string): Rendered =>
  page.html === null
    ? plain(markdown)
    : { html: page.html, outline: page.outline, how: page.isComplete ? 'whole' : 'partial' }

// Escaping it takes a few milliseconds of this thread.
const PLAIN_CHARACTERS_MAX = 200_000

export function plain(markdown: string): Rendered {
  const text = markdown.slice(0, PLAIN_CHARACTERS_MAX)
  const note = 'This page is too large or too complex to render. Its Markdown source is shown instead'
  const { markup } =
    html`<p class="too-long">${note}${text.length < markdown.length ? ', without its end.' : '.'}</p>
<pre>${text}</pre>`
  return { html: markup, outline: [], how: 'plain' }
}
