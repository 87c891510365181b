// Texts as they are stored: their links, their frontmatter, and rich documents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditTarget } from '../../../test/support/edits.ts'
import { changeRequestOn, edit, idAt, liveAt, readPage, refused } from '../../../test/support/edits.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const SITE = {
  'SUMMARY.md':
    '# Summary\n\n* [Start](README.md)\n* [Guides](guides/README.md)\n  * [Setup](guides/setup.md)\n  * [Moved](elsewhere/old-name.md)\n* [Next](next.md)\n',
  'README.md': '# Start\n\n[broken](no/where.md) and [next](next.md)\n',
  'guides/README.md': '# Guides\n',
  'guides/setup.md': '# Setup\n\nSet it up.\n',
  'elsewhere/old-name.md': '# Moved\n',
  'next.md': '# Next\n',
  '.gitbook/assets/a b.png': PIXEL,
  '.gitbook/includes/note.md': 'A note.\n',
}

type LinkItem = { readonly targetReference: { readonly internalLocation?: { readonly anchor: string } } }

const site = async (): Promise<EditTarget> => changeRequestOn(w, await spaceWith(w, SITE))
const textOf = async (at: EditTarget, id: string): Promise<string> => (await readPage(w, at, id)).markdown

const fileId = async ({ path }: EditTarget): Promise<string> =>
  (await w.call('GET', `${path}/content/files`)).body.items[0].id

test('every way to name a page or a file becomes the path of its file', async () => {
  const at = await site()
  const ids = {
    setup: await idAt(w, at, 'guides/setup'),
    moved: await idAt(w, at, 'guides/old-name'),
    file: await fileId(at),
  }
  // As written in a page beside guides/setup.md, and as it is stored.
  const links: readonly [written: string, stored: string | null][] = [
    [`/pages/${ids.setup}`, 'setup.md'],
    [`/pages/${ids.setup}#two`, 'setup.md#two'],
    [`/pages/${ids.moved}`, '../elsewhere/old-name.md'],
    ['/pages/next', '../next.md'],
    ['/pages/guides/setup', 'setup.md'],
    ['/pages/guides/old-name#a', '../elsewhere/old-name.md#a'],
    ['/pages/next.md', '../next.md'],
    ['/pages/guides/README.md', 'README.md'],
    ['/pages/README.md', '../README.md'],
    ['./setup.md', './setup.md'],
    ['./setup', './setup'],
    ['../next.md', '../next.md'],
    ['../README.md', '../README.md'],
    ['./old-name.md', '../elsewhere/old-name.md'],
    ['../next', '../next'],
    [`/files/${ids.file}`, '<../.gitbook/assets/a b.png>'],
    ['https://a.test/x?y#z', 'https://a.test/x?y#z'],
    ['mailto:a@b.test', 'mailto:a@b.test'],
    ['#anchor', '#anchor'],
    ['./later.md', '../later-page.md'],
    ['./later.md#b', '../later-page.md#b'],
    ['/pages/nowhere', '/pages/nowhere'],
    ['./nowhere.md', './nowhere.md'],
    ['../../outside.md', '../../outside.md'],
    ['/files/nowhere', '/files/nowhere'],
    ['javascript:alert(1)', null],
  ]
  const markdown = links.map(([written], i) => `[words ${i}](${written})\n`).join('\n')
  const { changes } = await edit(
    w,
    at,
    { operation: 'insert_page', title: 'New', document: { markdown }, into: await idAt(w, at, 'guides') },
    // Inserted after what links to it, and under another slug than its name.
    { operation: 'insert_page', document: {}, title: 'Later page', ref: 'later' },
  )
  const stored = (await textOf(at, changes[0].page.id)).split('\n\n').map(line => line.trim())
  for (const [i, [written, expected]] of links.entries())
    assert.equal(stored[i], expected === null ? `words ${i}` : `[words ${i}](${expected})`, written)
  const { body } = await w.call('GET', `${at.path}/content/page/${changes[0].page.id}/links`)
  // Four lead to nothing, and some of the others name a place that their page does not have.
  const broken = body.items.filter(({ status }: { status: string }) => status === 'broken')
  assert.deepEqual(
    broken.flatMap((link: LinkItem) => link.targetReference.internalLocation?.anchor ?? []).sort(),
    ['a', 'anchor', 'b', 'two'],
  )
  assert.equal(broken.length, 8)
})

test('pictures, includes, cards and HTML are linked like words, and pictures in addresses are not taken in', async () => {
  const at = await site()
  const id = await fileId(at)
  const markdown = [
    `![a picture](/files/${id})`,
    `<figure><img src="/files/${id}" alt="b"><figcaption>c</figcaption></figure>`,
    '{% include "/.gitbook/includes/note.md" %}',
    '{% content-ref url="/pages/next" %}\n[next](/pages/next)\n{% endcontent-ref %}',
    `![kept words](data:image/png;base64,${PIXEL.toString('base64')})`,
    '`/pages/next` in code stays',
  ].join('\n\n')
  const { changes } = await edit(w, at, { operation: 'insert_page', title: 'New', document: { markdown } })
  assert.equal(
    await textOf(at, changes[0].page.id),
    [
      '![a picture](<.gitbook/assets/a b.png>)',
      '<figure><img src=".gitbook/assets/a b.png" alt="b"><figcaption>c</figcaption></figure>',
      '{% include "/.gitbook/includes/note.md" %}',
      '{% content-ref url="next.md" %}\n[next](next.md)\n{% endcontent-ref %}',
      'kept words',
      '`/pages/next` in code stays',
    ].join('\n\n'),
  )
})

test('links that lead nowhere stay as they are written, whether they are new or not', async () => {
  const at = await site()
  const start = await idAt(w, at, 'readme')
  const markdown = '# Start\n\n[broken](no/where.md), [next](next.md) and [gone](no/one.md)\n'
  await edit(w, at, { operation: 'update_page', page: start, document: { markdown } })
  assert.equal(await textOf(at, start), markdown)
})

test('links of other pages are never rewritten, and a page keeps its file when it is renamed or moved', async () => {
  const at = await site()
  const next = await idAt(w, at, 'next')
  const start = await idAt(w, at, 'readme')
  const before = await textOf(at, start)
  await edit(
    w,
    at,
    { operation: 'update_page', page: next, slug: 'afterwards', into: await idAt(w, at, 'guides') },
    {
      operation: 'insert_page',
      title: 'Next',
      document: { markdown: 'See [it](/pages/guides/afterwards).\n' },
    },
  )
  assert.equal(await textOf(at, start), before)
  // The new page has the old path; the file of the old one is still taken.
  assert.equal(await textOf(at, await idAt(w, at, 'next')), 'See [it](next.md).\n')
  const { body } = await w.call('GET', `${at.path}/content/page/${start}/links`)
  assert.deepEqual(body.items[1].targetReference.page.id, next)
})

test('a text without frontmatter is the body alone, one with it says all of the page', async () => {
  const at = await site()
  const setup = await idAt(w, at, 'guides/setup')
  await edit(w, at, {
    operation: 'update_page',
    page: setup,
    description: 'How to',
    icon: 'bolt',
    hidden: true,
  })
  const head = '---\nicon: bolt\nhidden: true\ndescription: How to\n---\n\n'
  assert.deepEqual(
    new Set((await textOf(at, setup)).split('\n')),
    new Set(`${head}# Setup\n\nSet it up.\n`.split('\n')),
  )
  await edit(w, at, { operation: 'update_page', page: setup, document: { markdown: '# Setup\n\nAgain.\n' } })
  const kept = await readPage(w, at, setup)
  assert.match(kept.markdown, /^---\n(.*\n){3}---\n\n# Setup\n\nAgain\.\n$/)
  assert.deepEqual([kept.description, kept.icon, kept.hidden], ['How to', 'bolt', true])
  const markdown = '---\ndescription: Anew\ntitle: Set up\n---\n\n# Set up\n'
  await edit(w, at, {
    operation: 'update_page',
    page: setup,
    document: { markdown },
    description: 'Beaten',
    icon: 'star',
  })
  const all = await readPage(w, at, setup)
  // What the text says wins; what it does not say is added to it, so that record and text agree.
  assert.deepEqual([all.title, all.description, all.icon, all.hidden], ['Set up', 'Anew', 'star', false])
  assert.equal(all.markdown, '---\ndescription: Anew\ntitle: Set up\nicon: star\n---\n\n# Set up\n')
  await edit(w, at, { operation: 'update_page', page: setup, title: 'Third' })
  assert.equal(await textOf(at, setup), '---\ndescription: Anew\ntitle: Third\nicon: star\n---\n\n# Third\n')
})

test('metadata without a document changes nothing else of the text, and empty values take it away', async () => {
  const spaceId = await spaceWith(w, {
    'README.md':
      '---\n# a note of mine\ndescription: "Old"   # why\ncustom: [1, 2]\nrobots: noindex\n---\n\n# Start\r\n\r\nText.\r\n',
  })
  const at = liveAt(spaceId)
  const id = await idAt(w, at, 'readme')
  assert.equal((await readPage(w, at, id)).noRobotsIndex, true)
  await edit(w, at, {
    ...{ operation: 'update_page', page: id, description: 'New', emoji: '1f4d8', noIndex: true },
    ...{ noRobotsIndex: false, condition: 'visitor.claims.beta' },
  })
  const page = await readPage(w, at, id)
  assert.deepEqual(
    [page.description, page.emoji, page.noIndex, page.noRobotsIndex],
    ['New', '📘', true, false],
  )
  assert.match(
    page.markdown,
    /^---\n# a note of mine\ndescription: "?New"? {3}# why\ncustom: \[1, 2\]\nrobots: noindex\n/,
  )
  assert.match(page.markdown, /\nif: visitor\.claims\.beta\n/)
  assert.match(page.markdown, /\n---\n\n# Start\r\n\r\nText\.\r\n$/)
  await edit(w, at, {
    ...{ operation: 'update_page', page: id, description: '', emoji: '', noIndex: false, condition: '' },
    noRobotsIndex: true,
  })
  const after = await readPage(w, at, id)
  assert.deepEqual(
    [after.description, after.emoji, after.noIndex, after.noRobotsIndex],
    [undefined, undefined, false, true],
  )
  assert.doesNotMatch(after.markdown, /description|emoji|noIndex|if:/)
})

test('a page that named no file gets one with its first text', async () => {
  const at = liveAt(await spaceWith(w, { ...SITE, 'SUMMARY.md': `${SITE['SUMMARY.md']}* Only a title\n` }))
  const id = await idAt(w, at, 'only-a-title')
  await edit(
    w,
    at,
    { operation: 'update_page', page: id, document: { markdown: 'Words.\n' } },
    {
      operation: 'update_page',
      page: await idAt(w, at, 'next'),
      document: { markdown: `[there](/pages/${id})\n` },
    },
  )
  assert.equal(await textOf(at, await idAt(w, at, 'next')), '[there](only-a-title.md)\n')
})

test('unusual frontmatter can be added to, invalid frontmatter has to be corrected first', async () => {
  const at = liveAt(
    await spaceWith(w, {
      'README.md': '---\ncoverHeight: 5\nicon: a\nicon: b\n---\n\n# Start\n',
      'broken.md': '---\ntitle: [a\n---\n\n# Broken\n',
    }),
  )
  const odd = await idAt(w, at, 'readme')
  await edit(w, at, { operation: 'update_page', page: odd, description: 'Fine' })
  assert.equal((await readPage(w, at, odd)).description, 'Fine')
  const broken = await idAt(w, at, 'broken')
  const change = { operation: 'update_page', page: broken, icon: 'bolt' }
  assert.match(
    await refused(w, at, [change]),
    /^body\.changes\.0\.document\.markdown: .* Correct the frontmatter/,
  )
  // Its body can be changed all the same, with the frontmatter as it is or left out.
  await edit(w, at, { operation: 'update_page', page: broken, document: { markdown: '# Body\n' } })
  const text = await textOf(at, broken)
  assert.equal(text, '---\ntitle: [a\n---\n\n# Body\n')
  await edit(w, at, { operation: 'update_page', page: broken, document: { markdown: `${text}More.\n` } })
})

test('a record has the same fields as after an import of its text', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const file = await fileId(at)
  const { changes } = await edit(
    w,
    at,
    {
      ...{
        operation: 'insert_page',
        document: { markdown: '# New\n\nText.\n' },
        description: 'A: "b"',
        icon: 'bolt',
      },
      ...{ hidden: true, noIndex: true, variables: { a: 1, b: 'two', c: true }, layout: { title: false } },
      cover: { ref: { kind: 'file', file }, yPos: 5, height: 100 },
    },
    { operation: 'update_page', page: await idAt(w, at, 'guides/setup'), title: 'Set it up', emoji: '🚀' },
  )
  const made = changes[0].page.id
  const setup = changes[1].page.id
  const before = [await readPage(w, at, made), await readPage(w, at, setup)]
  assert.deepEqual(before[0].cover, { ref: { kind: 'file', file }, yPos: 5, height: 100 })
  const files: Record<string, string | Uint8Array> = { ...SITE, 'new.md': before[0].markdown }
  files['guides/setup.md'] = before[1].markdown
  files['SUMMARY.md'] = `${SITE['SUMMARY.md'].replace('[Setup]', '[Set it up]')}* [New](new.md)\n`
  await publishFiles(w, at.spaceId, files)
  for (const [i, id] of [made, setup].entries()) {
    const { git: _, ...after } = await readPage(w, at, id)
    const { git: __, ...expected } = before[i]
    assert.deepEqual(after, expected)
  }
})

test('a rich document is stored as Markdown, and blocks that stay keep their bytes', async () => {
  const at = liveAt(
    await spaceWith(w, {
      ...SITE,
      'next.md': '# Next\n\n*  a   list\n*  with [start](README.md)\n\nLast   words.\n',
    }),
  )
  const next = await idAt(w, at, 'next')
  const { body } = await w.call('GET', `${at.path}/content/page/${next}?format=document`)
  const setup = await idAt(w, at, 'guides/setup')
  body.document.nodes.push({
    ...{ object: 'block', type: 'paragraph', data: {} },
    nodes: [
      { object: 'text', leaves: [{ object: 'leaf', text: 'See ', marks: [] }] },
      {
        ...{ object: 'inline', type: 'link', data: { ref: { kind: 'page', page: setup } } },
        nodes: [
          {
            object: 'text',
            leaves: [{ object: 'leaf', text: 'this', marks: [{ object: 'mark', type: 'bold' }] }],
          },
        ],
      },
    ],
  })
  await edit(w, at, { operation: 'update_page', page: next, document: { document: body.document } })
  const text = await textOf(at, next)
  assert.ok(text.startsWith('# Next\n\n*  a   list\n*  with [start](README.md)\n\nLast   words.\n\n'), text)
  assert.match(text, /\nSee .*\(guides\/setup\.md\).*\n$/)
})

test('a new page of a rich document begins with its title, and links to what the same request makes', async () => {
  const at = await site()
  const words = (text: string) => [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }]
  const link = { kind: 'page', page: 'later' }
  const document = {
    object: 'document',
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'paragraph',
        data: {},
        nodes: [{ object: 'inline', type: 'link', data: { ref: link }, nodes: words('later') }],
      },
    ],
  }
  const { changes } = await edit(
    w,
    at,
    { operation: 'insert_page', title: 'A *new* page', document: { document } },
    { operation: 'insert_page', title: 'Later page', document: {}, ref: 'later' },
  )
  const page = await readPage(w, at, changes[0].page.id)
  assert.equal(page.title, 'A *new* page')
  assert.equal(page.markdown, '# A \\*new\\* page\n\n[later](later-page.md)\n')
  const { body } = await w.call('GET', `${at.path}/content/page/${changes[0].page.id}?format=document`)
  assert.deepEqual(
    body.document.nodes.map(({ type }: { type: string }) => type),
    ['paragraph'],
  )
})

test('an invalid rich document is refused with the path of the error', async () => {
  const at = await site()
  const document = { object: 'document', data: {}, nodes: [{ object: 'block', type: 'wrong', data: {} }] }
  assert.match(
    await refused(w, at, [{ operation: 'insert_page', document: { document } }]),
    /^body\.changes\.0\.document\.document\.nodes\.0/,
  )
})

test('a page whose bytes are no text is changed as a whole only', async () => {
  const at = liveAt(await spaceWith(w, { 'README.md': Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a]) }))
  const id = await idAt(w, at, 'readme')
  assert.match(await refused(w, at, [{ operation: 'update_page', page: id, icon: 'bolt' }]), /not UTF-8/)
  await edit(w, at, { operation: 'update_page', page: id, into: null, at: 0 })
  await edit(w, at, { operation: 'update_page', page: id, document: { markdown: '# Fine\n' } })
  assert.equal(await textOf(at, id), '# Fine\n')
})
