// The path items of a specification: the requests that a server takes, and those that it sends.
import { entriesOf, ownMember } from '../../base/objects.ts'
import { pathOf, valueAt } from './pointers.ts'

export const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const

/** Where the path items of each kind are, in order. */
export const ITEM_GROUPS = { operation: 'paths', webhook: 'webhooks' } as const
export type ItemKind = keyof typeof ITEM_GROUPS

// Many items may follow one chain, so each of its references is bounded as well. Path items are a few steps deep, and
// the longest step is the path of a URL.
const REFERENCES_MAX = 10
const REFERENCE_STEPS_MAX = 20
const REFERENCE_CHARACTERS_MAX = 4_000

export function* pathItems(
  document: unknown,
): Generator<{ readonly kind: ItemKind; readonly path: string; readonly item: unknown }> {
  for (const kind of ['operation', 'webhook'] as const)
    for (const [path, item] of entriesOf(ownMember(document, ITEM_GROUPS[kind])))
      yield { kind, path, item: resolve(document, item) }
}

export const findPathItem = (document: unknown, kind: ItemKind, path: string): unknown =>
  resolve(document, ownMember(ownMember(document, ITEM_GROUPS[kind]), path))

/** A path item may be a reference to another one. */
function resolve(document: unknown, item: unknown): unknown {
  let found = item
  for (let references = 0; references < REFERENCES_MAX; references++) {
    const reference = ownMember(found, '$ref')
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return found
    if (isLong(reference)) return undefined
    found = valueAt(document, pathOf(reference))
  }
  return undefined
}

/** The steps are counted only as far as the bound. */
const isLong = (reference: string): boolean =>
  reference.length > REFERENCE_CHARACTERS_MAX ||
  reference.slice(2).split('/', REFERENCE_STEPS_MAX + 1).length > REFERENCE_STEPS_MAX
