// Texts that are not saved yet, as they would be shown. Nothing of them is kept.
import { type SpecSight, specSightOf } from '../../access/spec-sight.ts'
import { sha256 } from '../../base/canonical.ts'
import { Failure, invalid } from '../../base/errors.ts'
import { defined } from '../../base/objects.ts'
import type { AsksAddresses } from '../../compute/addresses.ts'
import type { PagePreview } from '../../compute/page-preview.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import type { ShowParts } from '../../engines/markdown/html/html.ts'
import type { Context } from '../../http/context.ts'
import { checkSentDocument, tooCostly } from '../../http/rich-document.ts'
import type { ContentAt } from '../content/place.ts'
import { addressBelow, addressesFrom, searchHref } from './addresses.ts'
import { addressesById } from './addresses-by-id.ts'
import { descriptionsFrom } from './api-parts/parts.ts'
import { findChecked } from './checked-addresses.ts'
import { baseOf } from './reads.ts'
import { answersOf, plain, textsOf, variablesOf } from './render.ts'
import { type NewPreview, NODES_MAX, type Preview } from './schema.ts'
import { renderTexts } from './texts.ts'

/** The page that a text is of; undefined for one that is of no page. */
type Surroundings = {
  readonly at: ContentAt
  readonly content: Content
  readonly pageId: string | undefined
  readonly record: PageRecord | undefined
  readonly sight: SpecSight
}

/** Throws `invalid` for a page that is not there, and for both or neither of the two kinds of text. */
export async function preview(context: Context, at: ContentAt, body: NewPreview): Promise<Preview> {
  const { markdown, nodes, page } = body
  // What the caller names is shown as far as they may see it, whatever the head shows to others.
  const sight = specSightOf(context.principal, at.space.organization_id)
  const content = await context.contents.shown(at.space.id, at.root, sight)
  const record = page === undefined ? undefined : content.pages.get(page)
  if (page !== undefined && record === undefined)
    throw invalid('page_unknown', 'body.page: there is no such page in the content now. Take the id of one.')
  const surroundings = { at, content, pageId: page, record, sight }
  if (markdown !== undefined && nodes === undefined) return previewText(context, surroundings, markdown)
  if (markdown === undefined && nodes !== undefined) return previewBlocks(context, surroundings, body)
  throw invalid('preview_ambiguous', 'body: send either markdown or nodes.')
}

async function previewText(context: Context, surroundings: Surroundings, markdown: string): Promise<Preview> {
  const { at, content, pageId, record } = surroundings
  const { compute, log, objects } = context
  const { highlight } = context.rendering.highlighter
  // What is written in an editor is named by its id until it is saved.
  const named = { space: at.space, content, base: baseOf(at) }
  const addresses = addressesById(context, named, fileAddresses(context, surroundings))
  const checking = { spaceId: at.space.id, content, own: pageId, addresses }
  const answers = answersOf(
    {
      addresses: asked => findChecked(context, checking, asked),
      texts: documents => textsOf(objects, documents),
    },
    { highlight, showParts: partsFor(context, surroundings) },
  )
  const input = {
    markdown,
    ...(record === undefined ? {} : { pageTitle: record.title }),
    variables: variablesOf(content, record ?? {}),
    ...{ isKeyed: true, isColoured: highlight !== undefined, showsParts: true },
    idPrefix: `text-${digestOf(markdown)}.`,
  }
  try {
    const outcome = await compute.run('pagePreview', at.space.id, input, answers)
    return outcome.kind === 'done' ? toPreview(outcome.value, markdown) : unread(markdown)
  } catch (error) {
    if (error instanceof Failure) throw error
    log.error({ err: error, space: at.space.id }, 'a text cannot be previewed')
    return unread(markdown)
  }
}

const toPreview = (
  { html, isComplete, problems, moreProblems, blocks }: PagePreview,
  markdown: string,
): Preview => ({
  html: html ?? plain(markdown).html,
  complete: html !== null && isComplete,
  problems: problems.map(({ allowed, ...problem }) => defined({ ...problem, allowed: allowed?.slice() })),
  moreProblems,
  blocks: [...blocks],
})

/** As it was written. */
const unread = (markdown: string): Preview => ({
  ...{ html: plain(markdown).html, complete: false },
  ...{ problems: [], moreProblems: 0, blocks: [] },
})

/** `body` has nodes, which only tasks of the pool look at. */
async function previewBlocks(
  context: Context,
  surroundings: Surroundings,
  body: NewPreview,
): Promise<Preview> {
  const { at, content, record } = surroundings
  const { compute, objects } = context
  const spaceId = at.space.id
  const { json, blocks } = await checkSentDocument(context, spaceId, 'body', body)
  if (blocks > NODES_MAX) throw invalid('body_invalid', `body.nodes: send at most ${NODES_MAX} of them.`)
  const texts = await compute.run('blockTexts', spaceId, { json })
  if (texts.kind === 'beyond') throw tooCostly('body.nodes')
  const named = { space: at.space, content, base: baseOf(at) }
  const addresses: AsksAddresses = {
    addresses: addressesById(context, named, fileAddresses(context, surroundings)),
    texts: documents => textsOf(objects, documents),
  }
  const { htmls, isWhole } = await renderTexts(
    context,
    spaceId,
    { texts: texts.value.map(identified), variables: variablesOf(content, record ?? {}) },
    {
      addresses,
      highlight: context.rendering.highlighter.highlight,
      showParts: partsFor(context, surroundings),
    },
  )
  return { html: [...htmls], complete: isWhole, problems: [], moreProblems: 0, blocks: [] }
}

/** Its ids differ from those of other blocks, also of those that are previewed later. */
const identified = (markdown: string, index: number) => ({
  markdown,
  idPrefix: `block${index}-${digestOf(markdown)}.`,
})

const DIGITS = 12
const digestOf = (markdown: string): string => sha256(markdown).slice(0, DIGITS)

const fileOf = ({ record }: Surroundings): string => record?.file ?? ''

const fileAddresses = (context: Context, surroundings: Surroundings) => {
  const { at, content } = surroundings
  const means = { spaceId: at.space.id, search: searchHref(at.space.id) }
  return addressesFrom(context, content, fileOf(surroundings), addressBelow(baseOf(at), content), means)
}

function partsFor({ rendering }: Context, surroundings: Surroundings): ShowParts {
  const { at, content, sight } = surroundings
  const { apiParts } = rendering
  const described = descriptionsFrom(content, fileOf(surroundings))
  return async parts => {
    const versions = await apiParts.versionsOf(at.space.id, sight, parts, described)
    return (await apiParts.show(at.space.id, parts, versions, { hasScript: false })).shown
  }
}
