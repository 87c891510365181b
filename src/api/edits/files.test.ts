// Files that are sent or fetched: what is taken, what it is called, and what a stranger cannot make the server do.
import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testEngine } from '../../../test/support/database.ts'
import type { Change, EditTarget } from '../../../test/support/edits.ts'
import { changeRequestOn, edit, idAt, liveAt, readPage, refused } from '../../../test/support/edits.ts'
import { PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

// Loopback is allowed to tests by its IPv4 address, and nothing else of the kind.
const answers = new Map<string, RequestListener>()
const neighbour = createServer((request, reply) => {
  const answer = answers.get(request.url ?? '')
  if (answer === undefined) reply.writeHead(404).end()
  else answer(request, reply)
})
await new Promise<void>(resolve => neighbour.listen(0, '127.0.0.1', resolve))
after(() => neighbour.close())
const { port } = neighbour.address() as AddressInfo
const at = (path: string, answer: RequestListener): string => {
  answers.set(path, answer)
  return `http://127.0.0.1:${port}${path}`
}
const pixelAt = (path: string): string =>
  at(path, (_, reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end(PIXEL))

const site = async (): Promise<EditTarget> =>
  changeRequestOn(w, await spaceWith(w, { 'README.md': '# Start\n' }))
const base64 = PIXEL.toString('base64')
const insert = (...files: Change[]): Change => ({ operation: 'insert_files', files })

async function download(url: string): Promise<Buffer> {
  const { rawPayload } = await w.app.inject({ url: url.replace('http://octavo.test', '') })
  return rawPayload
}

test('files that are sent are kept, measured, and linked by the name of the request', async () => {
  const place = await site()
  const { changes, insertedFiles } = await edit(
    w,
    place,
    { operation: 'insert_page', document: { markdown: '# Page\n\n![a](./pic) and [b](./notes.txt)\n' } },
    insert(
      { name: 'a picture.png', base64, contentType: 'image/png', ref: 'pic' },
      {
        name: 'notes.txt',
        base64: Buffer.from('words').toString('base64'),
        contentType: 'text/plain; charset=utf-8',
        ref: 'notes.txt',
      },
    ),
  )
  const [picture, notes] = insertedFiles
  assert.deepEqual(
    [picture.name, picture.contentType, picture.size],
    ['a picture.png', 'image/png', PIXEL.length],
  )
  assert.deepEqual(picture.dimensions, { width: 1, height: 1 })
  assert.deepEqual([notes.name, notes.contentType, notes.dimensions], ['notes.txt', 'text/plain', undefined])
  assert.deepEqual(await download(picture.downloadURL), PIXEL)
  assert.equal(
    (await readPage(w, place, changes[0].page.id)).markdown,
    '# Page\n\n![a](<.gitbook/assets/a picture.png>) and [b](.gitbook/assets/notes.txt)\n',
  )
  const { body } = await w.call('GET', `${place.path}/content/files/${picture.id}`)
  assert.deepEqual(body, picture)
})

test('a second file of one name gets a number, and is the name it has in the repository', async () => {
  const place = await site()
  const file = { name: 'a.tar.gz', base64, contentType: 'application/gzip' }
  const { insertedFiles } = await edit(w, place, insert(file, file), insert(file))
  assert.deepEqual(
    insertedFiles.map(({ name }: { name: string }) => name),
    ['a.tar.gz', 'a.tar-1.gz', 'a.tar-2.gz'],
  )
})

test('a file is taken away and its place is free again; links to it become broken', async () => {
  const place = await site()
  const { changes, insertedFiles } = await edit(
    w,
    place,
    insert({ name: 'a.png', base64, contentType: 'image/png', ref: 'a' }),
    { operation: 'insert_page', title: 'P', document: { markdown: '![a](./a)\n' } },
  )
  const page = changes[0].page.id
  const gone = await edit(w, place, { operation: 'delete_file', file: insertedFiles[0].id })
  assert.deepEqual(gone.changes, [{ object: 'deleted_file', file: insertedFiles[0].id }])
  assert.equal((await readPage(w, place, page)).markdown, '![a](.gitbook/assets/a.png)\n')
  assert.equal((await w.call('GET', `${place.path}/content/page/${page}/links`)).body.stats.broken.total, 1)
  const again = await edit(w, place, insert({ name: 'a.png', base64, contentType: 'image/png' }))
  assert.equal(again.insertedFiles[0].name, 'a.png')
})

test('a URL is fetched; its type comes from the caller, then from its bytes, then from the other server', async () => {
  const place = await site()
  const redirect = at('/moved', (_, reply) => reply.writeHead(302, { location: '/pixel' }).end())
  pixelAt('/pixel')
  const { insertedFiles } = await edit(
    w,
    place,
    insert({ name: 'a.png', url: redirect }, { name: 'b.png', url: redirect, contentType: 'image/x-own' }),
  )
  const [a, b] = insertedFiles
  assert.deepEqual([a.contentType, b.contentType], ['image/png', 'image/x-own'])
  assert.deepEqual(await download(a.downloadURL), PIXEL)
})

test('what is fetched is on the disk before the rest of it is there', async () => {
  const place = await site()
  const folder = join(w.config.home, 'blobs/temporary')
  const half = Buffer.alloc(1024 * 1024, 'half')
  const sizeThere = async () => {
    const [name] = await readdir(folder)
    return name === undefined ? 0 : (await stat(join(folder, name))).size
  }
  const slow = at('/slow', async (_, reply) => {
    reply.writeHead(200).write(half)
    while ((await sizeThere()) < half.length) await new Promise(resolve => setTimeout(resolve, 2))
    reply.end(half)
  })
  const { insertedFiles } = await edit(w, place, insert({ name: 'a.bin', url: slow }))
  assert.equal(insertedFiles[0].size, 2 * half.length)
})

test('what cannot be taken is refused whole, naming the file and the way out', async t => {
  const place = await site()
  const sent = { name: 'a.png', base64, contentType: 'image/png' }
  const cases: readonly [string, Change, RegExp][] = [
    [
      'a name that climbs',
      { ...sent, name: '../a.png' },
      /^body\.changes\.0\.files\.1\.name: a name has no slashes/,
    ],
    ['a name with a folder', { ...sent, name: 'a/b.png' }, /\.name: a name has no slashes/],
    ['a name with a backslash', { ...sent, name: '..\\a.png' }, /\.name: a name has no slashes/],
    [
      'a name with a control character',
      { ...sent, name: 'a\u0000.png' },
      /\.name: a name has no slashes and no control/,
    ],
    ['a name without an ending', { ...sent, name: 'picture' }, /\.name: a name has an ending/],
    ['a hidden name', { ...sent, name: '.png' }, /\.name: a name has an ending/],
    [
      'a name that is too long',
      { ...sent, name: `${'a'.repeat(256)}.png` },
      /files\.1\.name: must not have more than 256/,
    ],
    ['no content type', { name: 'a.png', base64 }, /files\.1\.contentType: this is required with base64/],
    [
      'a content type that is none',
      { ...sent, contentType: 'x\r\ny: z' },
      /files\.1\.contentType: .* is no media type/,
    ],
    [
      'neither url nor base64',
      { name: 'a.png' },
      /files\.1: a file has exactly one of url, base64 and upload/,
    ],
    [
      'both',
      { ...sent, url: 'https://a.test/' },
      /files\.1: a file has exactly one of url, base64 and upload/,
    ],
    [
      'a data URI',
      { ...sent, base64: `data:image/png;base64,${base64}` },
      /files\.1\.base64: this is not base64/,
    ],
    ['base64 with line breaks', { ...sent, base64: 'AAAA\nAAAA' }, /files\.1\.base64: this is not base64/],
    ['base64 of an address', { ...sent, base64: 'AA-_' }, /files\.1\.base64: this is not base64/],
    ['base64 without its end', { ...sent, base64: 'AAA' }, /files\.1\.base64: this is not base64/],
    [
      '2 MB',
      { ...sent, base64: Buffer.alloc(2_000_000).toString('base64') },
      /at most 1048576 bytes\. Give the url/,
    ],
    [
      'a private address',
      { name: 'a.png', url: 'http://10.0.0.1/a.png' },
      /files\.1\.url: .*private or reserved/,
    ],
    [
      'a metadata service',
      { name: 'a.png', url: 'http://169.254.169.254/a.png' },
      /files\.1\.url: .*private or reserved/,
    ],
    [
      'loopback in another spelling',
      { name: 'a.png', url: `http://[::1]:${port}/pixel` },
      /files\.1\.url: .*private/,
    ],
    ['a file of the server', { name: 'a.png', url: 'file:///etc/passwd' }, /files\.1\.url: .*http/],
    [
      'a redirect to a private address',
      {
        name: 'a.png',
        url: at('/in', (_, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/' }).end()),
      },
      /files\.1\.url: .*private or reserved/,
    ],
    [
      'redirects without end',
      { name: 'a.png', url: at('/round', (_, reply) => reply.writeHead(302, { location: '/round' }).end()) },
      /files\.1\.url: .*redirects more than/,
    ],
    [
      'a file that is not there',
      { name: 'a.png', url: `http://127.0.0.1:${port}/none` },
      /files\.1\.url: .*answered 404/,
    ],
    [
      'a file without end',
      {
        name: 'a.png',
        url: at('/endless', (_, reply) => {
          const chunk = Buffer.alloc(1024 * 1024)
          const more = () => {
            while (reply.write(chunk));
          }
          reply.on('drain', more).on('error', () => {})
          reply.writeHead(200)
          more()
        }),
      },
      /files\.1\.url: .*sends more than 10485760 bytes/,
    ],
  ]
  for (const [name, file, message] of cases) {
    await t.test(name, async () => assert.match(await refused(w, place, [insert(sent, file)]), message))
  }
  await t.test('21 files', async () => {
    assert.match(await refused(w, place, [insert(...Array(21).fill(sent))]), /^body\.changes\.0\.files: /)
  })
  await t.test('one ref for a file and a page', async () => {
    const message = await refused(w, place, [
      insert({ ...sent, ref: 'same.md' }),
      { operation: 'insert_page', title: 'x', document: {}, ref: 'same' },
    ])
    assert.match(message, /is already used in this request/)
  })
})

test('the files of one request are bounded together', {
  skip: testEngine === 'postgres' && 'the bytes of files do not pass through the database',
}, async () => {
  const place = await site()
  const many = at('/many', (_, reply) => reply.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024)))
  const message = await refused(w, place, [
    insert(...Array.from({ length: 11 }, (_, n) => ({ name: `${n}.bin`, url: many }))),
  ])
  assert.match(message, /^body\.changes\.0\.files\.\d+\.url: .*at most 104857600 bytes altogether/)
})

test('a file that comes with a wrong change is not there afterwards', async () => {
  const place = liveAt((await site()).spaceId)
  const file = { name: 'a.png', base64, contentType: 'image/png' }
  await refused(w, place, [insert(file), { operation: 'delete_page', page: 'nowhere' }])
  assert.equal((await w.call('GET', `${place.path}/content/files`)).body.count, 0)
  assert.ok(await idAt(w, place, 'readme'))
})
