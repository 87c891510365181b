import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../../test/support/property-runs.ts'
import { parseSummary, type SummaryEntry } from '../page/page.ts'
import { editSummary, writeSummary } from './summary-edits.ts'
import type { ListedEntry, WrittenEntry } from './summary-lines.ts'

// A tree of entries: what a line says, and what is below it.
type Tree = {
  readonly key: string
  readonly kind: ListedEntry['kind']
  readonly title: string
  readonly children: Tree[]
}

const TITLES = [
  'One',
  'Two words',
  'a_b *c*',
  '[x](y)',
  '# no heading',
  '- no item',
  '1. first',
  '`code` <b>',
  'é 漢字',
  'A & B',
  '\\',
]
const title = fc.constantFrom(...TITLES)

let keys = 0
const leaf = (kind: 'page' | 'link') =>
  title.map((title): Tree => ({ key: `k${++keys}`, kind, title, children: [] }))
const branch: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(leaf('page'), leaf('link')),
    fc
      .tuple(leaf('page'), fc.array(tie('tree'), { maxLength: 3 }))
      .map(([own, children]): Tree => ({ ...own, children })),
  ),
})).tree
const group = fc
  .tuple(title, fc.array(branch, { maxLength: 4 }))
  .map(([title, children]): Tree => ({ key: `k${++keys}`, kind: 'group', title, children }))
const forest = fc.array(fc.oneof({ weight: 3, arbitrary: branch }, { weight: 1, arbitrary: group }), {
  minLength: 1,
  maxLength: 6,
})

function listed(trees: readonly Tree[], isWritten: (tree: Tree) => boolean): ListedEntry[] {
  const entries: ListedEntry[] = []
  const visit = (all: readonly Tree[], parent: number | null) => {
    for (const tree of all) {
      const { key, kind, title, children } = tree
      const destination =
        kind === 'page'
          ? { destination: `${key}.md` }
          : kind === 'link'
            ? { destination: `https://e.org/${key}(1)` }
            : {}
      visit(
        children,
        entries.push({ key, kind, title, parent, ...destination, isWritten: isWritten(tree) }) - 1,
      )
    }
  }
  visit(trees, null)
  return entries
}

function read(text: string) {
  const entries: { entry: SummaryEntry; parent: number | null }[] = []
  const visit = (all: readonly SummaryEntry[], parent: number | null) => {
    for (const entry of all) visit(entry.children, entries.push({ entry, parent }) - 1)
  }
  visit(parseSummary(text).entries, null)
  return entries
}

const kindOf = ({ type }: SummaryEntry): ListedEntry['kind'] => (type === 'text' ? 'page' : type)

/** The lines of a text by the entries that it was written for. */
const writtenIn = (text: string, entries: readonly ListedEntry[]): WrittenEntry[] =>
  read(text).map(({ entry, parent }, at) => ({
    key: entries[at]!.key,
    parent,
    kind: kindOf(entry),
    lines: entry.lines,
  }))

function assertSays(text: string, wanted: readonly ListedEntry[]): void {
  assert.deepEqual(
    read(text).map(({ entry, parent }) => [kindOf(entry), entry.title, parent]),
    wanted.map(({ kind, title, parent }) => [kind, title, parent]),
    text,
  )
}

/** How an author may have written it: other signs, other indents, other line ends, words between. */
const style = fc.record({
  marker: fc.constantFrom('*', '-', '+'),
  gap: fc.constantFrom(' ', '   '),
  indent: fc.constantFrom('  ', '    ', '\t'),
  isWindows: fc.boolean(),
  hasComment: fc.boolean(),
})
type Style = typeof style extends fc.Arbitrary<infer Of> ? Of : never

const restyled = (text: string, { marker, gap, indent, isWindows, hasComment }: Style): string => {
  // What is inside begins where the words of the line above do.
  const deeper = indent.length < gap.length + 1 && indent !== '\t' ? ' '.repeat(gap.length + 1) : indent
  const lines = text
    .split('\n')
    .map(line =>
      line.replace(/^( *)\* /, (_, blank: string) => `${deeper.repeat(blank.length / 2)}${marker}${gap}`),
    )
    .map(line => (hasComment && line.startsWith('## ') ? `<!-- before -->\n\n${line}` : line))
  const whole = lines.join('\n')
  return isWindows ? whole.replaceAll('\n', '\r\n') : whole
}

test('what is written is read as it is wanted', () => {
  fc.assert(
    fc.property(forest, trees => {
      const wanted = listed(trees, () => false)
      assertSays(writeSummary(wanted), wanted)
    }),
    tried(100),
  )
})

test('a text that lists what is wanted stays as it is, however it is written', () => {
  fc.assert(
    fc.property(forest, style, (trees, how) => {
      const entries = listed(trees, () => true)
      const text = restyled(writeSummary(entries), how)
      assert.equal(editSummary(text, writtenIn(text, entries), entries), text)
    }),
    tried(100),
  )
})

test('whatever is inserted, renamed, moved and removed: it is read as wanted, and other lines and words stay', () => {
  fc.assert(
    fc.property(forest, forest, style, fc.infiniteStream(fc.nat(9)), (trees, others, how, dice) => {
      const roll = () => dice.next().value as number
      const before = listed(trees, () => true)
      const text = restyled(writeSummary(before), how)
      const renamed = new Set<string>()
      const edited = (all: readonly Tree[]): Tree[] =>
        all.flatMap(tree => {
          const children = edited(tree.children)
          const at = roll()
          if (at === 0) return children.filter(({ kind }) => kind !== 'group')
          if (at === 1) return [...branches(others), { ...tree, children }]
          if (at > 2) return [{ ...tree, children }]
          renamed.add(tree.key)
          return [{ ...tree, title: `${tree.title} anew`, children }]
        })
      const after = edited(trees)
      if (roll() < 3) after.reverse()
      const keysBefore = new Set(before.map(({ key }) => key))
      const wanted = unique(listed(after, ({ key }) => keysBefore.has(key) && !renamed.has(key)))
      const out = editSummary(text, writtenIn(text, before), wanted)
      assertSays(out, wanted)
      const linesOf = (whole: string) => whole.split(/\r?\n/).map(line => line.trim())
      const present = new Set(linesOf(out))
      const heldLines = new Map(
        writtenIn(text, before).map(({ key, lines }) => [key, text.slice(lines.start, lines.end).trim()]),
      )
      const bare = (line: string) => line.replace(/^[-*+] +/, '')
      const bares = new Set([...present].map(bare))
      for (const { key, isWritten } of wanted)
        if (isWritten) assert.ok(bares.has(bare(heldLines.get(key)!)), `${heldLines.get(key)} in\n${out}`)
      if (how.hasComment && trees.some(({ kind }) => kind === 'group'))
        assert.ok(present.has('<!-- before -->'), out)
      if (how.isWindows) assert.ok(!/[^\r]\n/.test(out), JSON.stringify(out))
    }),
    tried(150),
  )
})

test('a line that is new or renamed begins as its neighbours do', () => {
  const trees = (title: string): Tree[] => [
    { key: 'a', kind: 'page', title: 'A', children: [{ key: 'b', kind: 'page', title, children: [] }] },
  ]
  const before = listed(trees('B'), () => true)
  const text = '-   [A](a.md)\n    -   [B](b.md)\n'
  const added: Tree = { key: 'c', kind: 'page', title: 'C', children: [] }
  const after = [...trees('Other'), { ...added, children: [{ ...added, key: 'd' }] }]
  const wanted = listed(after, ({ key }) => key === 'a')
  assert.equal(
    editSummary(text, writtenIn(text, before), wanted),
    '-   [A](a.md)\n    -   [Other](b.md)\n-   [C](c.md)\n    -   [C](d.md)\n',
  )
})

const branches = (trees: readonly Tree[]): Tree[] => trees.filter(({ kind }) => kind !== 'group').slice(0, 2)

/** Of entries with one key the first; what is below the others goes with them. */
function unique(entries: readonly ListedEntry[]): ListedEntry[] {
  const seen = new Set<string>()
  const places = new Map<number, number>()
  const kept: ListedEntry[] = []
  entries.forEach((entry, at) => {
    if (seen.has(entry.key) || (entry.parent !== null && !places.has(entry.parent))) return
    seen.add(entry.key)
    places.set(at, kept.length)
    kept.push({ ...entry, parent: entry.parent === null ? null : places.get(entry.parent)! })
  })
  return kept
}
