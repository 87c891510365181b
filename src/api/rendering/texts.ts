// Short texts as HTML, such as comments: many in one task, so that a list of them costs about what one page does.
import { Failure } from '../../base/errors.ts'
import type { AddressKey, AddressTarget, AsksAddresses } from '../../compute/addresses.ts'
import type { IdentifiedText, TextsHtmlInput } from '../../compute/texts-html.ts'
import type { Services } from '../../http/context.ts'
import type { Highlighter, TextRenderer } from '../../http/rendering.ts'
import { changeRequestHref, spaceHref } from './addresses.ts'
import { addressesById } from './addresses-by-id.ts'
import { answersOf, plain, type RenderEnvironment, type RenderServices, textsOf } from './render.ts'

// A task for this many characters takes about what a long page does. A list may have a thousand comments of 20,000.
const CHARACTERS_AT_ONCE_MAX = 200_000

export type RenderedTexts = {
  readonly htmls: readonly string[]
  /** False if some of it is not shown as it should be, and may be soon. */
  readonly isWhole: boolean
}

type Environment = Pick<RenderEnvironment, 'highlight' | 'showParts'> & { readonly addresses: AsksAddresses }
type Input = Omit<TextsHtmlInput, 'isColoured' | 'showsParts'>

/** Never throws because of a text. Throws `unavailable` if too much else waits. */
export async function renderTexts(
  services: Pick<RenderServices, 'compute' | 'log'>,
  spaceId: string,
  { texts, ...input }: Input,
  environment: Environment,
): Promise<RenderedTexts> {
  const htmls: string[] = []
  let isWhole = true
  for (const some of portionsOf(texts)) {
    const made = await renderPortion(services, spaceId, { ...input, texts: some }, environment)
    htmls.push(...made.htmls)
    isWhole &&= made.isWhole
  }
  return { htmls, isWhole }
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
  }
  const [first] = texts
  if (first === undefined) return { htmls: [], isWhole: true }
  if (texts.length === 1) return { htmls: [plain(first.markdown).html], isWhole: false }
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
  return {
    async render({ space, content, changeRequest }, texts) {
      const base = changeRequest === null ? spaceHref(space.id) : changeRequestHref(space.id, changeRequest)
      const addresses: AsksAddresses = {
        addresses: addressesById(services, { space, content, base }, ownAddress(services)),
        texts: documents => textsOf(services.objects, documents),
      }
      const made = await renderTexts(services, space.id, { texts }, { addresses, highlight })
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
    const isBroken = !isHere && !/^(?:https?:|mailto:|tel:)/i.test(destination)
    return { href: destination, isExternal: !isHere, isBroken }
  }
