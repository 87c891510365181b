// Short texts as HTML, such as comments: many in one task, so that a list of them costs about what one page does.
import { LRUCache } from 'lru-cache'
import { Failure } from '../../base/errors.ts'
import { isLinkScheme, schemeOf } from '../../base/link-schemes.ts'
import type { AddressKey, AddressTarget, AsksAddresses } from '../../compute/addresses.ts'
import type { IdentifiedText, TextsHtmlInput } from '../../compute/texts-html.ts'
import type { Services } from '../../http/context.ts'
import type { Highlighter, TextRenderer } from '../../http/rendering.ts'
import { previewHref, spaceHref } from './addresses.ts'
import { addressesById } from './addresses-by-id.ts'
import {
  answersOf,
  KEPT_MILLISECONDS,
  plain,
  type RenderEnvironment,
  type RenderServices,
  textsOf,
} from './render.ts'

// A task for this many characters takes about what a long page does. A list may have a thousand comments of 20,000.
const CHARACTERS_AT_ONCE_MAX = 200_000

export type RenderedTexts = {
  readonly htmls: readonly string[]
  /** False if some of it is not shown as it should be, and may be soon. */
  readonly isWhole: boolean
}

type Environment = Pick<RenderEnvironment, 'highlight' | 'showParts'> & {
  readonly addresses: AsksAddresses
  /** Those that were too much lately; absent where nothing is kept. */
  readonly costly?: CostlyTexts
}
type Input = Omit<TextsHtmlInput, 'isColoured' | 'showsParts'>

/** Texts that could not be rendered, by what names them: they are not tried again for each reader. */
type CostlyTexts = LRUCache<string, string>

// Each as long as a comment may be.
const COSTLY_TEXTS_MAX = 200

/** Never throws because of a text. Throws `unavailable` if too much else waits. */
export async function renderTexts(
  services: Pick<RenderServices, 'compute' | 'log'>,
  spaceId: string,
  { texts, ...input }: Input,
  environment: Environment,
): Promise<RenderedTexts> {
  const htmls: string[] = []
  let isWhole = true
  const isCostly = ({ idPrefix, markdown }: IdentifiedText) => environment.costly?.get(idPrefix) === markdown
  const tried = texts.filter(text => !isCostly(text))
  for (const some of portionsOf(tried)) {
    const made = await renderPortion(services, spaceId, { ...input, texts: some }, environment)
    htmls.push(...made.htmls)
    isWhole &&= made.isWhole
  }
  if (tried.length === texts.length) return { htmls, isWhole }
  const made = new Map(tried.map((text, index) => [text, htmls[index]]))
  return { htmls: texts.map(text => made.get(text) ?? plain(text.markdown).html), isWhole: false }
}

async function renderPortion(
  services: Pick<RenderServices, 'compute' | 'log'>,
  spaceId: string,
  input: Input,
  environment: Environment,
): Promise<RenderedTexts> {
  const { compute, log } = services
  const { texts } = input
  const isColoured = environment.highlight !== undefined
  const showsParts = environment.showParts !== undefined
  const answers = answersOf(environment.addresses, environment)
  let how: 'plain' | 'failed' = 'plain'
  try {
    const outcome = await compute.run('textsHtml', spaceId, { ...input, isColoured, showsParts }, answers)
    if (outcome.kind === 'done') {
      const { htmls, isComplete } = outcome.value
      return {
        htmls: htmls.map((html, index) => html ?? plain(texts[index]?.markdown ?? '').html),
        isWhole: isComplete,
      }
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    log.error({ err: error, space: spaceId }, 'texts cannot be rendered')
    how = 'failed'
  }
  const [first] = texts
  if (first === undefined) return { htmls: [], isWhole: true }
  if (texts.length === 1) {
    environment.costly?.set(first.idPrefix, first.markdown, { ttl: KEPT_MILLISECONDS[how] })
    return { htmls: [plain(first.markdown).html], isWhole: false }
  }
  // One of them is too much; the others are shown as they are.
  const made: RenderedTexts[] = []
  for (const text of texts)
    made.push(await renderPortion(services, spaceId, { ...input, texts: [text] }, environment))
  return { htmls: made.flatMap(({ htmls }) => htmls), isWhole: false }
}

/** In order, each portion with what one task may take. */
function* portionsOf(texts: readonly IdentifiedText[]): Generator<IdentifiedText[]> {
  let portion: IdentifiedText[] = []
  let characters = 0
  for (const text of texts) {
    if (portion.length > 0 && characters + text.markdown.length > CHARACTERS_AT_ONCE_MAX) {
      yield portion
      portion = []
      characters = 0
    }
    portion.push(text)
    characters += text.markdown.length
  }
  if (portion.length > 0) yield portion
}

export function createTextRenderer(
  services: RenderServices & Pick<Services, 'db'>,
  { highlight }: Pick<Highlighter, 'highlight'>,
): TextRenderer {
  const costly: CostlyTexts = new LRUCache({ max: COSTLY_TEXTS_MAX })
  return {
    async render({ space, content, changeRequest }, texts) {
      const base = changeRequest === null ? spaceHref(space.id) : previewHref(space.id, changeRequest)
      const addresses: AsksAddresses = {
        addresses: addressesById(services, { space, content, base }, ownAddress(services)),
        texts: documents => textsOf(services.objects, documents),
      }
      const made = await renderTexts(services, space.id, { texts }, { addresses, highlight, costly })
      return made.htmls
    },
  }
}

/** What a text in no file names: pages of this server, and of others. */
const ownAddress =
  ({ urls }: Pick<Services, 'urls'>) =>
  ([, kind, destination]: AddressKey): AddressTarget => {
    if (kind === 'include' || kind === 'search') return null
    if (kind === 'image') return /^https?:/i.test(destination) ? { src: destination } : null
    const isHere = /^\/(?:s|w)(?:\/|$)/.test(destination) || destination.startsWith(urls.root('/'))
    const isBroken = !isHere && !isLinkScheme(schemeOf(destination) ?? '')
    return { href: destination, isExternal: !isHere, isBroken }
  }
