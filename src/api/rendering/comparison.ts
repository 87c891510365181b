// A page compared with what it was: by a change request with the space, by a revision with the one before it.
import { missing, tooLarge } from '../../base/errors.ts'
import type { ComparedChange } from '../../compute/page-comparison.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import type { CachedBody } from '../../http/cached-body.ts'
import type { Context } from '../../http/context.ts'
import { findBase } from '../changes/reads.ts'
import { type ContentAt, cachedAnswer } from '../content/place.ts'
import { readText } from '../content/reads.ts'
import { addressBelow, addressesFrom, searchHref, spaceHref } from './addresses.ts'
import { baseOf } from './reads.ts'
import { textsOf, variablesOf } from './render.ts'
import type { PageComparison } from './schema.ts'

const CHARACTERS_MAX = 3_000_000

export async function readComparison(context: Context, at: ContentAt, id: string): Promise<CachedBody> {
  const { contents } = context
  const { space, root, sight } = at
  const base = await findBase(context, at)
  const [before, after] = [
    await contents.shown(space.id, base, sight),
    await contents.shown(space.id, root, sight),
  ]
  const [old, now] = [before.pages.get(id), after.pages.get(id)]
  if (old === undefined && now === undefined) throw missing('page')
  const question = ['comparison', base, before.expansion?.digest, id]
  return cachedAnswer(context, at, question, () =>
    compare(context, at, id, { content: before, record: old }, { content: after, record: now }),
  )
}

type Version = { readonly content: Content; readonly record: PageRecord | undefined }

async function compare(
  context: Context,
  at: ContentAt,
  id: string,
  old: Version,
  now: Version,
): Promise<PageComparison> {
  const { compute, objects } = context
  const { space } = at
  const bases = { before: spaceHref(space.id), after: baseOf(at) }
  const find = {
    before: addressesOf(context, space.id, old, bases.before),
    after: addressesOf(context, space.id, now, bases.after),
  }
  const outcome = await compute.run(
    'pageComparison',
    space.id,
    { before: await textOf(context, old), after: await textOf(context, now), charactersMax: CHARACTERS_MAX },
    {
      addresses: async ({ side, asked }) => asked.map(find[side]),
      texts: documents => textsOf(objects, documents),
    },
    [old.content, now.content, id, bases.after],
  )
  if (outcome.kind === 'beyond')
    throw tooLarge(
      'page_too_large',
      'The two versions of this page are too long to be compared as HTML. Read the changes of its blocks instead.',
    )
  const { changes, more } = outcome.value
  return { id, blocks: changes.map(toBlock), more }
}

function toBlock(change: ComparedChange): PageComparison['blocks'][number] {
  if (change.kind !== 'changed') return change
  const { isMoved, ...block } = change
  return isMoved ? { ...block, moved: true } : block
}

const addressesOf = (context: Context, spaceId: string, { content, record }: Version, base: string) =>
  addressesFrom(context, content, record?.file ?? '', addressBelow(base, content), {
    spaceId,
    search: searchHref(spaceId),
  })

const textOf = async (context: Context, { content, record }: Version) => ({
  markdown:
    record == null || record.document === null ? '' : await readText(context, record.document, content),
  variables: variablesOf(content, record ?? {}),
})
