// Three-way merge of the frontmatter of a document, key by key. It is merged before the rest of the document: all three
// versions get the result, so that nothing is left to merge of it.
import type { SplitBlocks } from './block-diff.ts'
import { bareRange, withoutMargins } from './block-pairs.ts'
import { FRONTMATTER } from './document-pieces.ts'
import { cutKeys, type KeyPart, type KeyParts, nameOfKey } from './frontmatter-keys.ts'
import type { Budget } from './merge-budget.ts'
import type { BlockConflict, SettleBlock } from './merge-conflicts.ts'
import { mergeChanged } from './merge-line-places.ts'
import { mergeLists } from './merge-lists.ts'
import { longest, mergeMargin } from './merge-margins.ts'
import { mapVersions, type Versions } from './versions.ts'

/** Unlike the key of any block, which is a hash. */
const CONFLICT_PREFIX = 'frontmatter.'
/** A name in an address of a conflict; the API takes one of 64 characters. */
const NAME_LENGTH_MAX = 50

/** The name of the key that a conflict is about; undefined for a conflict of blocks. */
export const keyOfConflict = (block: string): string | undefined =>
  block.startsWith(CONFLICT_PREFIX) ? block.slice(CONFLICT_PREFIX.length) : undefined

/** A document without its frontmatter; null for none. */
type Parted = { readonly head: string | null; readonly rest: string }

/**
 * The versions with their frontmatter merged. They are returned as they are where only one side changed it, and where
 * one of them cannot be cut into keys.
 */
export function withMergedFrontmatter(
  texts: Versions,
  blocks: SplitBlocks,
  settle: SettleBlock,
  budget: Budget,
): Versions {
  const parted = mapVersions(texts, text => partHead(text, blocks))
  const { base, ours, theirs } = mapVersions(parted, ({ head }) => head)
  if (ours === theirs || ours === base || theirs === base) return texts
  const head = mergeHeads({ base, ours, theirs }, settle, budget)
  return head === undefined ? texts : withHead(parted, head)
}

function partHead(text: string, blocks: SplitBlocks): Parted {
  const [first] = blocks(text)
  if (first?.type !== FRONTMATTER) return { head: null, rest: text }
  const { start, end } = bareRange(text.slice(first.start, first.end))
  return { head: text.slice(first.start + start, first.start + end), rest: text.slice(first.start + end) }
}

function withHead(parted: Versions<Parted>, head: string): Versions {
  const gap = Object.values(parted)
    .flatMap(({ head, rest }) => (head === null ? [] : [gapOf(rest)]))
    .reduce(longest, '')
  return mapVersions(parted, part => {
    const body = part.rest.slice(gapOf(part.rest).length)
    if (head === '') return part.head === null ? part.rest : body
    if (part.head !== null) return head + part.rest
    // Where nothing follows, what parts it from a body is one line end.
    return head + (body === '' ? (/\r?\n/.exec(gap)?.[0] ?? '') : gap + body)
  })
}

/** The blank lines at the start of a text. */
function gapOf(text: string): string {
  const { start, end } = bareRange(text)
  return end === 0 ? text : text.slice(0, start)
}

/** Frontmatter between its two lines of dashes. */
type Head = { readonly open: string; readonly keys: KeyParts; readonly close: string }

/** Undefined for what cannot be cut; null for none. */
function cutHead(head: string | null): Head | null | undefined {
  if (head === null) return null
  const [from, to] = [head.indexOf('\n') + 1, head.lastIndexOf('\n') + 1]
  const keys = from === 0 ? undefined : cutKeys(head.slice(from, to))
  return keys && { open: head.slice(0, from), keys, close: head.slice(to) }
}

/** The merged frontmatter, empty for none; undefined where a version cannot be cut. */
function mergeHeads(texts: Versions<string | null>, settle: SettleBlock, budget: Budget): string | undefined {
  const heads = mapVersions(texts, cutHead)
  const { base, ours, theirs } = heads
  if (base === undefined || ours === undefined || theirs === undefined) return undefined
  const keys = mergeKeys({ base, ours, theirs }, settle, budget)
  if (keys === undefined) return undefined
  if (keys === '' && (ours === null || theirs === null)) return ''
  const open = mergeMargin(base?.open, ours?.open, theirs?.open)
  return open + keys + mergeMargin(base?.close, ours?.close, theirs?.close)
}

function mergeKeys(heads: Versions<Head | null>, settle: SettleBlock, budget: Budget): string | undefined {
  const { base, ours, theirs } = mapVersions(heads, head => head?.keys.parts ?? new Map<string, KeyPart>())
  if (isDisputed(mapVersions({ base, ours, theirs }, commentsOf))) return undefined
  // In an order that does not depend on the side.
  const ids = new Set([base, ours, theirs].flatMap(parts => [...parts.keys()]).sort())
  const texts = new Map<string, string>()
  const conflicts = new Map<string, Versions<string | null>>()
  for (const id of ids) {
    const [b, o, t] = [base, ours, theirs].map(parts => parts.get(id)?.text ?? null) as KeyTexts
    const text = mergeKey({ base: b, ours: o, theirs: t }, budget)
    if (text === undefined) conflicts.set(id, { base: b, ours: o, theirs: t })
    else if (text !== null) texts.set(id, text)
  }
  if ([...conflicts.keys()].some(id => (nameOfKey(id) ?? '').length > NAME_LENGTH_MAX)) return undefined
  const [fromOurs, fromTheirs] = [new Set<string>(), new Set<string>()]
  for (const [id, versions] of conflicts) {
    const text = settleKey(nameOfKey(id) ?? '', versions, settle)
    if (text !== null) texts.set(id, text)
    if (text === versions.ours) fromOurs.add(id)
    else if (text === versions.theirs) fromTheirs.add(id)
  }
  const order = mergeLists({
    base: [...base.keys()],
    // A key of which one side was taken is where that side has it.
    ours: [...ours.keys()].filter(id => !fromTheirs.has(id)),
    theirs: [...theirs.keys()].filter(id => !fromOurs.has(id)),
    isKept: id => texts.has(id),
    budget,
  })
  const lines = order.flatMap(({ id }) => [
    mergeMargin(base.get(id)?.before, ours.get(id)?.before, theirs.get(id)?.before),
    texts.get(id) ?? '',
  ])
  const after = mapVersions(heads, head => head?.keys.after)
  return lines.join('') + mergeMargin(after.base, after.ours, after.theirs)
}

type KeyTexts = [string | null, string | null, string | null]

const commentsOf = (parts: ReadonlyMap<string, KeyPart>): string =>
  [...parts].flatMap(([id, { text }]) => (nameOfKey(id) === undefined ? [text] : [])).join('\n')

const isDisputed = ({ base, ours, theirs }: Versions): boolean =>
  ours !== theirs && ours !== base && theirs !== base

/** The merged text of a key, null for none; undefined for a conflict. */
function mergeKey(versions: Versions<string | null>, budget: Budget): string | null | undefined {
  const { base, ours, theirs } = versions
  if (ours === theirs || theirs === base) return ours
  if (ours === base) return theirs
  if (base === null || ours === null || theirs === null) return undefined
  return mergeChanged({ base, ours, theirs }, budget)
}

function settleKey(name: string, versions: Versions<string | null>, settle: SettleBlock): string | null {
  const shown = mapVersions(versions, text => (text === null ? null : withoutMargins(text)))
  const conflict: BlockConflict = { block: CONFLICT_PREFIX + name, ...shown }
  const text = settle(conflict)
  if (text === undefined || text === shown.ours) return versions.ours
  if (text === shown.theirs) return versions.theirs
  if (text === shown.base) return versions.base
  return text === null || text === '' ? null : `${text}\n`
}
