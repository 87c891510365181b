import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { readPdfPages } from '../../../test/support/pdf.ts'
import { pngOf } from '../../../test/support/png.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { findSpaces } from '../../api/spaces/rows.ts'
import { now } from '../../base/clock.ts'
import type { Compute } from '../../compute/compute.ts'
import type { Highlight } from '../../engines/markdown/html/values.ts'
import type { Services } from '../../http/context.ts'
import { actFor } from '../../platform/fairness/party.ts'
import { TYPESET_BOUNDS } from '../../platform/typst/typesetter.ts'
import { planPrint } from '../print/plan.ts'
import { collectDocument } from './document.ts'
import { createPdfFiles } from './files.ts'

const w = await world()
/** What comes from a database is asked of it in the first test. */
const skip =
  process.env.OCTAVO_TEST_DATABASE !== undefined && 'a PDF file is made the same way on every engine'

const files = {
  'SUMMARY.md': '* [Start](README.md)\n\n## Guides\n\n* [Setup](setup.md)\n  * [Deeper](deeper.md)\n',
  'README.md': '---\ndescription: Where it begins\n---\n\n# Start\n\nGo to [install](setup.md#install).\n',
  'setup.md':
    '# Setup\n\n## Install\n\n![A dot](.gitbook/assets/dot.png) ![Broken](.gitbook/assets/broken.png)\n\nSay #panic(word) 你好\n\nקצת\n',
  'deeper.md': '# Deeper\n\nBack to [start](README.md), `code`.\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/assets/broken.png': 'no picture',
}
const space = await spaceWith(w, files, { title: 'Handbook' })

async function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await w.app.inject({ method, url: url.replace('http://octavo.test', ''), headers })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

test('a space is one PDF file, of the revision that its address names, in whole and in part, until it is deleted', async () => {
  const { body } = await w.call('GET', `/spaces/${space}/pdf`)
  assert.match(body.url, /^http:\/\/octavo\.test\/pdf\//)
  await publishFiles(w, space, { ...files, 'deeper.md': '# Deeper\n\nOther words\n' })
  const whole = await ask(body.url)
  assert.equal(whole.status, 200)
  assert.equal(whole.headers['content-type'], 'application/pdf')
  assert.equal(whole.headers['content-security-policy'], undefined)
  assert.equal(whole.headers['content-disposition'], "inline; filename*=UTF-8''Handbook.pdf")
  const pages = readPdfPages(whole.bytes).map(words => words.replaceAll(/[ .]+/g, ' ').trim())
  const day = pages[0]?.slice(pages[0].indexOf('As of'))
  assert.equal(pages[0], `A world 📖 Handbook ${day}`)
  assert.equal(pages[1], `Contents Start 2 Guides 3 Setup 3 Deeper 4 ${day} 1`)
  assert.equal(pages[2], `Handbook Start Start Where it begins Go to install ${day} 2`)
  assert.match(pages[3] ?? '', /^Handbook Setup Guides Setup Install .*Broken Say #panic\(word\) 你好 תצק/)
  assert.equal(pages[4], `Handbook Deeper Deeper Back to start , code ${day} 4`)
  const part = await ask(body.url, { range: 'bytes=0-6' })
  assert.deepEqual([part.status, part.bytes.toString()], [206, '%PDF-1.'])
  assert.equal(part.headers['content-range'], `bytes 0-6/${whole.bytes.length}`)
  assert.equal((await ask(body.url, { range: `bytes=${whole.bytes.length}-` })).status, 416)
  const head = await ask(body.url, {}, 'HEAD')
  assert.deepEqual([head.status, head.headers['content-length']], [200, String(whole.bytes.length)])
  await w.call('DELETE', `/spaces/${space}`)
  assert.equal((await ask(body.url)).status, 404)
})

test('members are redirected to the file of a page, also in a change request; nobody else is', {
  skip,
}, async () => {
  const id = await spaceWith(w, { 'a.md': '# A\n\nPublished words\n' })
  const { body: content } = await w.call('GET', `/spaces/${id}/content`)
  const page = content.pages[0].id
  const link = await ask(`/s/${id}/~/pdf?page=${page}`, { cookie: await cookieOf(w, 'read') })
  assert.equal(link.status, 303)
  const address = String(link.headers.location)
  assert.equal((await ask(address.replace(page, 'x'))).status, 404)
  assert.equal((await ask(`/s/${id}/~/pdf?page=${page}`)).status, 404)
  const { id: changeRequest } = await changeRequestWith(w, id, { 'a.md': '# A\n\nProposed words\n' })
  const { body } = await w.call(
    'GET',
    `/spaces/${id}/change-requests/${changeRequest}/pdf?page=${page}&only=true`,
  )
  const { bytes, headers } = await ask(body.url)
  assert.match(String(headers['content-disposition']), /%20-%20A\.pdf$/)
  const [only, ...others] = readPdfPages(bytes)
  assert.match(only ?? '', / A Proposed words As change request #1 would have it · As of /)
  assert.equal(others.length, 0, 'a page alone has no cover and no contents')
})

/** A space of these files, as it is printed. */
async function viewOf(files: Parameters<typeof spaceWith>[1]) {
  const id = await spaceWith(w, files)
  const [space] = await findSpaces(w.services.db, [id])
  assert.ok(space !== undefined)
  const content = await w.services.contents.get(space.root_hash.toString('hex'))
  return {
    ...{ space, content, revisionId: space.revision_id, page: null, isAlone: false },
    ...{ pages: planPrint(content, null, false), createdAt: now(), changeRequest: null },
    sight: 'published' as const,
  }
}

/** The services, with other colours for code. */
function colouredBy(highlight: Highlight): Services {
  const { rendering } = w.services
  return { ...w.services, rendering: { ...rendering, highlighter: { ...rendering.highlighter, highlight } } }
}

test('a space beyond the bounds is refused with a message, and not tried again for each request', {
  skip,
}, async () => {
  const view = await viewOf({ 'a.md': '# A\n' })
  let asked = 0
  const services = {
    ...w.services,
    objects: {
      ...w.services.objects,
      getMany: (hashes: readonly string[]) => {
        asked += 1
        return w.services.objects.getMany(hashes)
      },
    },
  }
  const files = createPdfFiles(services, { ...TYPESET_BOUNDS, millisecondsMax: 1 })
  const refused = {
    kind: 'too_large',
    code: 'pdf_too_large',
    message: /its subpages, or print the print view/,
  }
  await assert.rejects(files.get(view), refused)
  const before = asked
  await assert.rejects(files.get(view), refused)
  assert.equal(asked, before)
})

test('where a page cannot be rendered or a picture cannot be read, the file is refused with a message', {
  skip,
}, async () => {
  const view = await viewOf({ 'a.md': '# A\n\n![A dot](dot.png)\n', 'dot.png': PIXEL })
  const defect = () => Promise.reject(new Error('a defect'))
  const compute: Compute = { ...w.services.compute, run: defect }
  const blobs = { ...w.services.blobs, read: defect }
  for (const services of [
    { ...w.services, compute },
    { ...w.services, blobs },
  ]) {
    const files = createPdfFiles(services)
    await assert.rejects(files.get(view), { kind: 'unavailable', code: 'pdf_failed', message: /server log/ })
    await files.close()
  }
})

test('a second large file of an organization is not made before the first of another one', {
  skip,
}, async () => {
  const code = '```js\nlet n = 1\n```\n'
  const viewNamed = (name: string) =>
    viewOf(Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`${n}.md`, `# ${name} ${n}\n\n${code}`])))
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const highlight = async () => {
    begun.resolve()
    await gate.promise
    return { codes: [], isComplete: true }
  }
  const pdfs = createPdfFiles(colouredBy(highlight))
  const made: string[] = []
  const make = async (organization: string, name: string) => {
    const view = await viewNamed(name)
    await actFor({ organization, person: '' }, () => pdfs.get(view))
    made.push(name)
  }
  const all = [make('a', 'first')]
  await begun.promise
  all.push(make('a', 'second'))
  while (pdfs.waiting < 1) await setImmediate()
  all.push(make('b', 'of another'))
  while (pdfs.waiting < 2) await setImmediate()
  gate.resolve()
  await Promise.all(all)
  assert.deepEqual(made, ['first', 'of another', 'second'])
  await pdfs.close()
})

test('a small file is made while a large one of somebody else is under way', { skip }, async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`page-${n}.md`, `# Page ${n}\n\n\`\`\`js\nlet n = ${n}\n\`\`\`\n`]),
  )
  const [large, small] = [await viewOf(many), await viewOf({ 'a.md': '# A\n' })]
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const highlight = async () => {
    begun.resolve()
    await gate.promise
    return { codes: [], isComplete: true }
  }
  const pdfs = createPdfFiles(colouredBy(highlight))
  const held = pdfs.get(large)
  await begun.promise
  assert.ok((await pdfs.get(small)).size > 0)
  gate.resolve()
  assert.ok((await held).size > 0)
  await pdfs.close()
})

test('a file that is beyond the bounds of a small one is made as a large one', { skip }, async () => {
  const view = await viewOf({ 'a.md': `# A\n\n${'word '.repeat(110_000)}\n` })
  const pdfs = createPdfFiles(w.services)
  assert.ok((await pdfs.get(view)).size > 0)
  await pdfs.close()
})

test('a list in a list takes no more than its words, however deep it is', { skip }, async () => {
  const items = (depth: number): string[] =>
    depth === 5
      ? []
      : Array.from({ length: 4 }, (_, at) => [
          `${'  '.repeat(depth)}* item ${depth}.${at}\n`,
          ...items(depth + 1),
        ]).flat()
  const lists = items(0).join('')
  const id = await spaceWith(w, {
    'SUMMARY.md': '* [Start](README.md)\n',
    'README.md': `# Start\n\n${lists}`,
  })
  const { body } = await w.call('GET', `/spaces/${id}/pdf`)
  const { status, bytes } = await ask(body.url)
  assert.equal(status, 200)
  const text = readPdfPages(bytes).join(' ')
  assert.equal(text.match(/item \d\.\d/g)?.length, 4 + 16 + 64 + 256 + 1024)
})

test('a document of too many lines is refused before it is typeset', { skip }, async () => {
  const view = await viewOf({ 'a.md': `# A\n\n${'* item\n'.repeat(100_001)}` })
  await assert.rejects(collectDocument(w.services, { ...view, organization: 'A' }), { kind: 'too_large' })
})

test('a picture has no more pixels in a file than a sheet shows, and one that cannot be scaled goes as it is', {
  skip,
}, async () => {
  const id = await spaceWith(w, {
    'a.md': '# A\n\n![Large](large.png)\n\n![Broken](broken.png)\n\n![Small](small.png)\n',
    'large.png': Buffer.from(pngOf(1_200, 100, [200, 30, 30, 255])),
    'broken.png': Buffer.from(pngOf(1_300, 100, [200, 30, 30, 255]).subarray(0, 60)),
    'small.png': Buffer.from(pngOf(40, 40, [30, 200, 30, 255])),
  })
  const { body } = await w.call('GET', `/spaces/${id}/pdf`)
  const { status, bytes } = await ask(body.url)
  assert.equal(status, 200)
  const widths = [...bytes.toString('latin1').matchAll(/\/Width (\d+)/g)].map(([, width]) => width)
  // Twice each: its colours and its transparency.
  assert.deepEqual(new Set(widths), new Set(['40', '981']))
})
