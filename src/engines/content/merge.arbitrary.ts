// Two people at work on one space, for tests: a base that fast-check generates, and what each makes of it. Every word
// that somebody writes is written once, so a lost one has a name.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { SplitBlocks } from './block-diff.ts'
import { commit, type Entries, tree } from './content.arbitrary.ts'
import { readContent } from './content.ts'
import { Draft } from './draft.ts'
import { decodeDocument, encodeDocument } from './objects.ts'
import { insertPage, movePage, removePage, updatePage } from './page-edits.ts'
import { type Entry, type FileRecord, type Hash, isEntryOf } from './records.ts'
import { memoryStore, type ObjectStore } from './store.ts'
import { EMPTY_ROOT } from './trie.ts'

/** Paragraphs with the blank lines behind them, named by text and occurrence, as the Markdown engine does it. */
export const paragraphs: SplitBlocks = markdown => {
  const seen = new Map<string, number>()
  let start = 0
  return (markdown.match(/(?:[^\n]+\n?)+\n*|\n+/g) ?? []).map(text => {
    const bare = text.trim()
    const nth = seen.get(bare) ?? 0
    seen.set(bare, nth + 1)
    const block = { key: `${bare}~${nth}`, type: 'paragraph', start, end: start + text.length }
    start = block.end
    return block
  })
}

/** Paragraphs below frontmatter, if there is any. */
export const paragraphsBelowFrontmatter: SplitBlocks = markdown => {
  const head = /^---\n(?:[^\n]*\n)*?---(?:\n+|$)/.exec(markdown)?.[0].length ?? 0
  const rest = paragraphs(markdown.slice(head)).map(block => ({
    ...block,
    start: block.start + head,
    end: block.end + head,
  }))
  return head === 0 ? rest : [{ key: 'yaml', type: 'yaml', start: 0, end: head }, ...rest]
}

export type Step = { readonly kind: number; readonly page: number; readonly to: number; readonly at: number }
const step = (): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.nat(17), page: fc.nat(1000), to: fc.nat(1000), at: fc.nat(1000) })
export const steps = (maxLength = 8): fc.Arbitrary<readonly Step[]> => fc.array(step(), { maxLength })

export type Scenario = {
  readonly store: ObjectStore
  readonly base: Hash
  readonly ours: Hash
  readonly theirs: Hash
}

/** A base with up to 60 pages of a few paragraphs each, and two revisions that were made of it. */
export const scenario = (): fc.Arbitrary<() => Promise<Scenario>> =>
  fc.tuple(tree(), steps(), steps()).map(([content, a, b]) => async () => {
    const store = memoryStore()
    const base = await begin(store, content)
    return { store, base, ours: await edit(store, base, a, 'o'), theirs: await edit(store, base, b, 't') }
  })

/** Few pages and many steps, so that the two meet often. */
export const crowded = (): fc.Arbitrary<() => Promise<Scenario>> =>
  fc.tuple(tree(), steps(12), steps(12)).map(([content, a, b]) => async () => {
    const store = memoryStore()
    const base = await begin(store, new Map([...content].slice(0, 6)))
    return { store, base, ours: await edit(store, base, a, 'o'), theirs: await edit(store, base, b, 't') }
  })

async function begin(store: ObjectStore, content: Entries): Promise<Hash> {
  const whole = whatStands(content)
  for (const n of [0, 1, 2]) whole.set(`file/f${n}`, picture(`f${n}`))
  let word = 0
  const entries: Iterable<Entry> = whole
  for (const entry of entries) {
    if (!isEntryOf('page', entry)) continue
    const [key, page] = entry
    // Paragraphs without common words, so that their identity is unambiguous.
    const text = [1, 2, 3].map(() => `${Array.from({ length: 8 }, () => `base${word++}`).join(' ')}.`)
    const document = encodeDocument(`${text.join('\n\n')}\n`)
    await store.putMany([document])
    whole.set(key, { ...page, document: document.hash })
  }
  const { root, objects, problems } = await commit(store, EMPTY_ROOT, whole)
  assert.deepEqual(problems, [])
  await store.putMany(objects)
  return root
}

/** The part of a content that is a tree by itself. */
function whatStands(content: Entries): Entries {
  const has = (id: string): boolean => content.has(`page/${id}`)
  const whole: Entries = new Map()
  const entries: Iterable<Entry> = content
  for (const entry of entries) {
    if (!isEntryOf('tree', entry) && !isEntryOf('page', entry)) continue
    const [key, record] = entry
    whole.set(key, { ...record, children: record.children.filter(has) })
  }
  return whole
}

/** The steps one after the other, each as a commit of its own; one that would break the tree is left out. */
export async function edit(
  store: ObjectStore,
  from: Hash,
  list: readonly Step[],
  who: string,
): Promise<Hash> {
  let root = from
  for (const [n, one] of list.entries()) {
    const draft = new Draft(store, root)
    await take(store, draft, one, `${who}${n}`)
    const made = await commit(draft.store, root, draft.edits)
    if (made.problems.length > 0) continue
    await store.putMany(made.objects)
    root = made.root
  }
  return root
}

async function take(
  store: ObjectStore,
  draft: Draft,
  { kind, page, to, at }: Step,
  word: string,
): Promise<void> {
  const { pages } = await readContent(store, draft.root)
  const ids = [...pages.keys()].sort()
  const id = ids[page % Math.max(1, ids.length)]
  const parent = to % 3 === 0 ? null : (ids[to % Math.max(1, ids.length)] ?? null)
  const record = id === undefined ? undefined : pages.get(id)
  if (id === undefined || record === undefined || kind === 0) {
    const document = encodeDocument(`Made by ${word}.\n`)
    await store.putMany([document])
    const slug = at % 4 === 0 ? 'same' : `s-${word}`
    const fields = { type: 'document', title: `T${word}`, slug, document: document.hash } as const
    await insertPage(draft, `p${word}`, fields, { parent, index: at % 3 })
    return
  }
  if (kind === 1) await movePage(draft, id, { parent, index: at % 4 })
  else if (kind === 2) await movePage(draft, id, { parent: record.parent, index: at % 5 })
  else if (kind === 3) await removePage(draft, id)
  else if (kind === 4) await updatePage(draft, id, { title: `Title ${word}` })
  else if (kind === 5) await updatePage(draft, id, { slug: at % 2 === 0 ? 'same' : `slug-${word}` })
  else if (kind === 6) await updatePage(draft, id, { variables: { [`v${at % 3}`]: word } })
  else if (kind === 7) await updatePage(draft, id, { updatedAt: `2030-01-01T00:00:0${at % 10}.000Z` })
  else if (kind === 8) draft.set(`variable/v${at % 4}`, word)
  else if (kind === 14) await updatePage(draft, id, LINK)
  else if (kind === 15) await updatePage(draft, id, { type: 'group', document: null, target: undefined })
  else if (kind === 16) draft.set(`file/f${at % 3}`, at % 5 === 0 ? null : picture(word))
  else if (kind === 17) await updatePage(draft, id, { oid: 'a'.repeat(40) })
  else {
    const body =
      record.document === null ? undefined : (await store.getMany([record.document])).get(record.document)
    const text = rewrite(body === undefined ? '' : decodeDocument(body), kind, at, word)
    const document = encodeDocument(text)
    await store.putMany([document])
    await updatePage(draft, id, { document: document.hash })
  }
}

const LINK = {
  type: 'link',
  slug: '',
  document: null,
  target: { kind: 'url', url: 'https://example.com' },
} as const

const picture = (word: string): FileRecord => ({
  ...{ name: `${word}.png`, contentType: 'image/png', size: 1 },
  ...{ blob: word.padStart(64, '0'), file: `${word}.png` },
})

function rewrite(text: string, kind: number, at: number, word: string): string {
  const parts = text.split(/\n\n+/).map(part => part.trim())
  const i = at % Math.max(1, parts.length)
  if (kind === 9) parts[i] = `${parts[i]} Then ${word}.`
  else if (kind === 10) parts.splice(i, 0, `${word} ${word} ${word}.`)
  else if (kind === 11) parts.splice(i, 1)
  else if (kind === 12) parts.push(...parts.splice(i, 1))
  else parts[i] = `${parts[i]}\nA line more: ${word}.`
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}
