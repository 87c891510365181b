// Matches the blocks of a document with those of the text that it is written over.
import type { Block } from '../document/document.ts'

/** For a node of the document, the index of the node that it was before, and whether it says the same. */
export type Match = { readonly was: number; readonly isSame: boolean } | undefined

/**
 * What a block says, as one string: equal for blocks that differ only in keys, in derived members, and in members that
 * may be left out.
 */
export const contentOf = (node: Block): string => write(node)

const NODES: ReadonlySet<unknown> = new Set(['document', 'block', 'inline', 'text', 'fragment'])

function write(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) {
    let items = '['
    for (const one of value) items += `${write(one)},`
    return `${items}]`
  }
  // The only JSON values left are objects.
  const members = value as Members
  if (isPlainLeaf(members)) return write(members.text)
  const isNode = NODES.has(members.object)
  let written = '{'
  for (const name of Object.keys(members).sort()) {
    const member = members[name]
    if (member === undefined || (isNode && isSaidWithout(name, member))) continue
    written += `${JSON.stringify(name)}:${write(member)},`
  }
  return `${written}}`
}

type Members = { readonly [name: string]: unknown }

/** Most of a document is leaves without marks, which their words describe. No other object is written as a string. */
const isPlainLeaf = ({ object, marks }: Members): boolean =>
  object === 'leaf' && Array.isArray(marks) && marks.length === 0

function isSaidWithout(name: string, member: unknown): boolean {
  if (name === 'key' || name === 'meta' || name === 'isVoid') return true
  if (name === 'nodes' || name === 'fragments') return Array.isArray(member) && member.length === 0
  return name === 'data' && typeof member === 'object' && member !== null && Object.keys(member).length === 0
}

/** The blocks of a page, and what each says. */
type Before = { readonly nodes: readonly Block[]; readonly says: readonly string[] }

/** Matches blocks by key; those without a known key by what they say, in order, or by their place. */
export function matchBlocks({ nodes: before, says: said }: Before, after: readonly Block[]): Match[] {
  const byKey = new Map<string, number>()
  for (const [index, { key }] of before.entries())
    if (key !== undefined && !byKey.has(key)) byKey.set(key, index)
  const isTaken = before.map(() => false)
  const matches: Match[] = after.map(node => {
    const was = node.key === undefined ? undefined : byKey.get(node.key)
    if (was === undefined || isTaken[was]) return undefined
    isTaken[was] = true
    return { was, isSame: said[was] === contentOf(node) }
  })
  const places = new Map<string | undefined, Places>()
  const free = [...said.keys()].filter(index => !isTaken[index]).reverse()
  for (const [words, all] of Map.groupBy(free, index => said[index]))
    places.set(words, { onwards: all, first: [...all] })
  let last = -1
  for (const [index, node] of after.entries()) {
    const match = matches[index]
    if (match !== undefined) {
      last = match.was
      continue
    }
    const found = places.get(contentOf(node))
    const was = found === undefined ? undefined : take(found, last, isTaken)
    if (was === undefined) continue
    matches[index] = { was, isSame: true }
    last = was
  }
  return matchEdited(before, after, matches, isTaken)
}

/** A block without a key is a missing block of its type, edited, if both follow the same block. */
function matchEdited(
  before: readonly Block[],
  after: readonly Block[],
  matches: Match[],
  isTaken: boolean[],
): Match[] {
  let next = 0
  for (const [index, node] of after.entries()) {
    const isGone = !isTaken[next] && before[next]?.type === node.type
    if (matches[index] === undefined && node.key === undefined && isGone) {
      matches[index] = { was: next, isSame: false }
      isTaken[next] = true
    }
    next = (matches[index]?.was ?? next - 1) + 1
  }
  return matches
}

/** Where equal blocks were, the next one last: those after the last one taken, and those that moved up. */
type Places = { readonly onwards: number[]; readonly first: number[] }

function take({ onwards, first }: Places, last: number, isTaken: boolean[]): number | undefined {
  const was =
    nextFree(onwards, place => place > last && !isTaken[place]) ?? nextFree(first, place => !isTaken[place])
  if (was !== undefined) isTaken[was] = true
  return was
}

/** The next place that is free; those before it are dropped. */
function nextFree(places: number[], isFree: (place: number) => boolean): number | undefined {
  for (;;) {
    const place = places.at(-1)
    if (place === undefined || isFree(place)) return place
    places.pop()
  }
}
