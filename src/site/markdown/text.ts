// A page as Markdown: its title, its description, and its text in a form that can be read by itself.
import type { SpecSight } from '../../access/spec-sight.ts'
import { addressesFrom } from '../../api/rendering/addresses.ts'
import {
  addressAnswers,
  type Rendered,
  type RenderServices,
  variablesOf,
} from '../../api/rendering/render.ts'
import { Failure } from '../../base/errors.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { plainWords } from '../../engines/markdown/render/render.ts'
import { inOneLine } from '../../engines/markdown/syntax/syntax.ts'
import type { Services } from '../../http/context.ts'
import { markdownAddress } from './addresses.ts'

type TextServices = RenderServices & Pick<Services, 'rendering'>

/** What texts are made with. */
export type TextSite = { readonly services: TextServices }

/** `base` is the address that the paths of its pages follow. */
export type TextPlace = {
  readonly spaceId: string
  readonly base: string
  readonly content: Content
  readonly sight: SpecSight
}

export type RenderedText = { readonly text: string; readonly how: Exclude<Rendered['how'], 'partial'> }

/**
 * `written` is the Markdown of the page as it was written, which is also the text of a page that cannot be
 * rendered. `source` is its address, if the text is not the answer to that address. Throws `unavailable` if too much else
 * waits.
 */
export async function renderText(
  site: TextSite,
  { spaceId, base, content, sight }: TextPlace,
  record: PageRecord,
  written: string,
  source?: string,
): Promise<RenderedText> {
  const { text: body, how } =
    written === ''
      ? ({ text: '', how: 'whole' } as const)
      : await renderBody(site, { spaceId, base, content, sight }, record, written)
  const head = [`# ${plainWords(record.title)}`]
  if (source !== undefined) head.push(`Source: <${source}>`)
  if (record.description !== undefined) head.push(`> ${plainWords(inOneLine(record.description))}`)
  return { text: `${[...head, ...(body === '' ? [] : [body])].join('\n\n')}\n`, how }
}

async function renderBody(
  { services }: TextSite,
  { spaceId, base, content, sight }: TextPlace,
  record: PageRecord,
  markdown: string,
): Promise<RenderedText> {
  const file = record.file ?? ''
  const address = markdownAddress(services.urls, base, content)
  const find = addressesFrom(services, content, file, address)
  const input = { markdown, title: record.title, variables: variablesOf(content, record) }
  try {
    const outcome = await services.compute.run(
      'standaloneMarkdown',
      spaceId,
      input,
      {
        ...addressAnswers(services.objects, find),
        parts: services.rendering.apiParts.writerFor(spaceId, sight, content, file),
      },
      [content, file, base, sight],
    )
    return outcome.kind === 'done' ? { text: outcome.value, how: 'whole' } : { text: markdown, how: 'plain' }
  } catch (error) {
    if (error instanceof Failure) throw error
    services.log.error({ err: error, space: spaceId }, 'a page cannot be rendered as Markdown')
    return { text: markdown, how: 'failed' }
  }
}
