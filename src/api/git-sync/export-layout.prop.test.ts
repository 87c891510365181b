import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Files, MemorySpace } from '../../../test/support/memory-source.ts'
import { tried } from '../../../test/support/property-runs.ts'
import type { Content } from '../../engines/content/content.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { type AnyRecord, type Key, type PageRecord, pageKey } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'

const NAMES = ['a', 'b', 'c', 'README', 'Setup', 'x y', 'é', 'd(1)']
const TITLES = ['T', 'U *v*', 'snake_case', '[w]', '漢字', '1. one', 'A & B']
const LINES = ['# Title', 'some  words  ', '', '* item', '\ttab', '<a id="x"></a>', '- [ ] task']

const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map(parts => `${parts.join('/')}.md`)
const text = fc
  .tuple(
    fc.constantFrom('', '\ufeff', '---\ntitle: Front\n---\n\n'),
    fc.array(fc.constantFrom(...LINES), { maxLength: 5 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([start, lines, end, isEnded]) => start + lines.join(end) + (isEnded ? end : ''))
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.nat(3), fc.constantFrom('T', 'U', '**b**', '\\[x\\]'), path, fc.constantFrom('*', '-'))
      .map(([depth, title, to, marker]) => `${'  '.repeat(depth)}${marker} [${title}](<${to}>)`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '## Group',
      '## Other <a href="#g" id="g"></a>',
      '* words',
      '---',
      '<!-- c -->',
      '',
      '* [E](https://example.com)',
    ),
  },
)
const repository = fc
  .record({
    pages: fc.dictionary(path, text, { minKeys: 1, maxKeys: 8 }),
    summary: fc.option(
      fc.array(line, { minLength: 1, maxLength: 12 }).map(lines => `# Contents\n\n${lines.join('\n')}\n`),
    ),
    others: fc.boolean(),
  })
  .map(
    ({ pages, summary, others }): Files => ({
      'README.md': '# Home\n',
      ...pages,
      ...(summary === null ? {} : { 'SUMMARY.md': summary }),
      ...(others ? { 'code.c': 'int main;\n', '.gitbook/vars.yaml': '# mine\nname: "x"\nother: 2\n' } : {}),
    }),
  )

/** What a table of contents says, with the ids of its pages, and what the pages say. Groups of one title are alike. */
const shape = ({ tree, pages, variables }: Content) => {
  const show = (ids: readonly string[]): unknown[] =>
    ids.map(id => {
      const { type, title, linkTitle, file, document, target, children } = pages.get(id) as PageRecord
      const own = type === 'group' ? {} : { id }
      return { ...own, type, title, linkTitle, file, document, target, children: show(children) }
    })
  return { pages: show(tree.children), variables: [...variables] }
}

/** Edits as people make them: texts, titles, moves, new pages, and pages that go. Titles are not those of texts. */
function editsOf(content: Content, dice: () => number) {
  const edits = new Map<Key, AnyRecord | null>()
  const documents: StoredObject[] = []
  const pages = new Map(content.pages)
  const roots = [...content.tree.children]
  const siblingsOf = (parent: string | null): string[] =>
    parent === null ? roots : ([...(pages.get(parent)?.children ?? [])] as string[])
  const put = (id: string, record: PageRecord) => {
    pages.set(id, record)
    edits.set(pageKey(id), record)
  }
  const setChildren = (parent: string | null, children: string[]) => {
    if (parent === null) roots.splice(0, roots.length, ...children)
    else put(parent, { ...(pages.get(parent) as PageRecord), children })
  }
  const targets = new Set([...pages.values()].map(({ target }) => target && 'page' in target && target.page))
  const ids = [...pages.keys()].filter(id => pages.get(id)?.type !== 'computed')
  for (let count = dice() % 4; count >= 0; count--) {
    const id = ids[dice() % ids.length] as string
    const page = pages.get(id)
    if (page === undefined) continue
    const kind = dice() % 5
    if (kind === 0 && page.document !== null) {
      const document = encodeDocument(`# Written ${dice()}\n`)
      documents.push(document)
      put(id, { ...page, document: document.hash })
    } else if (kind === 1) put(id, { ...page, title: TITLES[dice() % TITLES.length] as string })
    else if (kind === 2) {
      const siblings = siblingsOf(page.parent).filter(other => other !== id)
      siblings.splice(dice() % (siblings.length + 1), 0, id)
      setChildren(page.parent, siblings)
    } else if (kind === 3 && page.children.length === 0 && ids.length > 1 && !targets.has(id)) {
      setChildren(
        page.parent,
        siblingsOf(page.parent).filter(other => other !== id),
      )
      pages.delete(id)
      edits.set(pageKey(id), null)
      ids.splice(ids.indexOf(id), 1)
    } else if (kind === 4 && page.type !== 'link') {
      const document = encodeDocument('# New\n')
      documents.push(document)
      const added = `new${dice()}-${ids.length}`
      const title = TITLES[dice() % TITLES.length] as string
      put(added, {
        ...{ type: 'document', title, slug: added, parent: id, children: [] },
        ...{ document: document.hash, file: `new/${added}.md` },
      })
      ids.push(added)
      setChildren(id, [...siblingsOf(id), added])
    }
  }
  edits.set('tree', { children: roots })
  return { edits, documents }
}

/** A space with these files; undefined where an import refuses them. */
async function imported(files: Files): Promise<MemorySpace | undefined> {
  const space = new MemorySpace()
  try {
    await space.import(files)
    return space
  } catch {
    return undefined
  }
}

test('an import followed by an export changes no byte', async () => {
  await fc.assert(
    fc.asyncProperty(repository, async files => {
      const space = await imported(files)
      if (space === undefined) return
      const written = await space.export(files, space.content)
      assert.deepEqual(asText(written), asText(files))
    }),
    tried(150),
  )
})

test('edits are exported, and importing them again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(repository, fc.infiniteStream(fc.nat(1000)), async (files, dice) => {
      const space = await imported(files)
      if (space === undefined) return
      const base = space.content
      space.edit(editsOf(base, () => dice.next().value as number))
      if (![...space.content.pages.values()].some(({ document }) => document !== null)) return
      const head = shape(space.content)
      const written = await space.export(files, base)
      for (const [path, content] of Object.entries(files))
        if (path === 'code.c') assert.equal(Buffer.from(written[path] ?? '').toString(), content)
      await space.import(written)
      assert.deepEqual(withoutFrontTitles(shape(space.content)), withoutFrontTitles(head))
    }),
    tried(300),
  )
})

/** A page without text is written as an empty file. */
const withTexts = (content: Content): Content => ({
  ...content,
  pages: new Map(
    [...content.pages].map(([id, page]) => [
      id,
      page.type === 'document' && page.file !== undefined && page.document === null
        ? { ...page, document: encodeDocument(new Uint8Array()).hash }
        : page,
    ]),
  ),
})

test('a space that is written to an empty repository comes back', async () => {
  await fc.assert(
    fc.asyncProperty(repository, async files => {
      const space = await imported(files)
      if (space === undefined) return
      const written = await space.export({}, undefined)
      const other = new MemorySpace()
      await other.import(written)
      const anonymous = (content: Content) =>
        JSON.parse(
          JSON.stringify(shape(content), (key, value) =>
            key === 'id' || key === 'target' ? undefined : value,
          ),
        )
      assert.deepEqual(anonymous(other.content), anonymous(withTexts(space.content)))
    }),
    tried(150),
  )
})

const asText = (files: Files) =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString('latin1')]),
  )

/** A title in the frontmatter wins over that of SUMMARY.md; edits here do not write it into the text. */
const withoutFrontTitles = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === 'title' ? undefined : one)))
