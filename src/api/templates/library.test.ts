// The built-in templates are sound: every template is a repository that imports without a problem, and renders as it
// is meant.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MemorySpace } from '../../../test/support/memory-source.ts'
import { toHtml } from '../../engines/markdown/html/html.ts'
import { headingAnchors, references } from '../../engines/markdown/page/page.ts'
import { parseMarkdown } from '../../engines/markdown/syntax/syntax.ts'
import { targetFrom } from '../content/resolve.ts'
import { findLibraryTemplate, LIBRARY_PREFIX, TEMPLATE_IDS } from './library.ts'
import { contentRefsOf, type TemplatePage } from './template.ts'

const LIBRARY = join(import.meta.dirname, 'library')

const namesOf = (pages: readonly TemplatePage[]): string[] =>
  pages.flatMap(({ ref, text, pages: below }) => [
    ...(text === null ? [] : [ref.slice(LIBRARY_PREFIX.length)]),
    ...namesOf(below),
  ])

test('every folder of the library is a template, and every file of it a page', () => {
  assert.deepEqual(readdirSync(LIBRARY).sort(), [...TEMPLATE_IDS].sort())
  for (const id of TEMPLATE_IDS) {
    const files = readdirSync(join(LIBRARY, id)).filter(file => file !== 'SUMMARY.md')
    const names = namesOf(findLibraryTemplate(id)?.pages ?? [])
    assert.deepEqual(names.map(name => `${name}.md`).sort(), files.sort())
  }
  assert.equal(findLibraryTemplate('unheard-of'), undefined)
  assert.equal(findLibraryTemplate('../library/blank'), undefined)
})

for (const id of TEMPLATE_IDS) {
  test(`the template ${id} imports without a problem, its links lead somewhere, and its blocks show`, async () => {
    const files = Object.fromEntries(
      readdirSync(join(LIBRARY, id)).map(file => [file, readFileSync(join(LIBRARY, id, file))]),
    )
    const space = new MemorySpace()
    const { problems } = await space.import(files)
    assert.deepEqual(problems, [])
    const anchors = new Map(
      [...space.content.pages].flatMap(([page, { file }]) =>
        file === undefined
          ? []
          : [[page, new Set(headingAnchors(parseMarkdown(space.text(file))).values())] as const],
      ),
    )
    for (const { file, type, title } of space.content.pages.values()) {
      if (type !== 'document' || file === undefined) continue
      const text = space.text(file)
      const target = targetFrom(space.content, file)
      for (const { destination } of references(text)) {
        if (destination.startsWith('content-ref:')) continue
        const found = target(destination)
        assert.equal(found.kind, 'page', `${file}: ${destination}`)
        if (found.kind === 'page' && found.anchor !== undefined)
          assert.ok(anchors.get(found.id)?.has(found.anchor), `${file}: ${destination}`)
      }
      const { problems: shown, html } = await toHtml(parseMarkdown(text), {
        resolveLink: href => ({ href, isExternal: false, isBroken: false }),
        resolveImage: () => ({ src: '/x.png' }),
        pageTitle: title,
      })
      assert.deepEqual(
        shown.filter(({ message }) => !message.includes('content-ref:')),
        [],
        file,
      )
      assert.doesNotMatch(html.replaceAll(/<(pre|code)\b.*?<\/\1>/gs, ''), /\{%/, file)
      if (id !== 'blank') assert.ok(text.length > 300, `${file} says too little to begin with`)
    }
  })
}

test('the guide names every template, and every name that one of them takes', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/content.md'), 'utf8')
  const rows = TEMPLATE_IDS.map(id => {
    const names = contentRefsOf(findLibraryTemplate(id) ?? assert.fail(id))
    return [id, names.map(name => `\`${name}\``).join(', ')] as const
  })
  for (const [id, names] of rows)
    assert.match(guide, new RegExp(`^\\| \`${id}\` \\|.*\\| ${names} ?\\|$`, 'm'), id)
})
