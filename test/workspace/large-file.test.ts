// A large file in the workspace: it is streamed from the disk of the person to that of the server, and a connection that
// breaks leaves nothing behind.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { skipBrowser } from '../support/browser.ts'
import { linkTo } from '../support/link.ts'
import { originOf, PUBLIC_URL } from '../support/server.ts'
import { isWhole } from '../support/slice.ts'
import { openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const BYTES = 200_000_000
const skip = skipBrowser || (!isWhole && 'it takes long: `node test/torture.ts web` sends it')
const w = await world({ OCTAVO_FILE_BYTES_MAX: String(BYTES) })

const folder = mkdtempSync(join(tmpdir(), 'octavo-large-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function fileOf(bytes: number): Promise<string> {
  const path = join(folder, `${bytes}.mp4`)
  const file = await open(path, 'w')
  await file.truncate(bytes)
  await file.close()
  return path
}

/** Test servers take a write with a session from their public address alone, which no browser can be told to send. */
async function fromPublicAddress(origin: string): Promise<string> {
  const server = createServer((near, answer) => {
    const { method, headers } = near
    const own = headers.origin === undefined ? headers : { ...headers, origin: PUBLIC_URL }
    const far = request(origin + near.url, { method, headers: own }, reply => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(answer)
    })
    far.on('error', () => answer.destroy())
    answer.on('close', () => far.destroy())
    near.pipe(far)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server has an address of a host and a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a file of 200 MB says how far it is; a broken connection is said, leaves nothing, and it is sent again by itself', {
  skip,
}, async () => {
  const { id: space } = await w.createSpace()
  const [large, tooLarge] = [await fileOf(BYTES), await fileOf(BYTES + 1)]
  const link = await linkTo(await fromPublicAddress(await originOf(w)))
  await openWorkspace(
    w,
    'edit',
    `/w/s/${space}/files`,
    async (page, watch) => {
      // Its body does not pass through this process as that of other writes of a story does.
      await page.route(/\/uploads\//, route => route.continue())
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('Network.enable')
      const slowly = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000_000 }
      await cdp.send('Network.emulateNetworkConditions', slowly)
      const asks = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload' }).click()
      await (await asks).setFiles([large, tooLarge])
      const sending = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
      await sending.getByText('Too large: a file can have at most 200 MB.').waitFor()
      await sending.getByText(/^1\d\d[\d.]* MB of 200 MB$/).waitFor()
      link.cut()
      await sending.getByText('The connection was lost. It is sent again by itself.').waitFor()
      const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/files`)
      assert.equal(body.count, 0)
      await cdp.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 })
      link.mend()
      await page.waitForURL(/\/c\/1\/files$/)
      await page.getByRole('row', { name: `${BYTES}.mp4` }).waitFor()
      // The browser notes each request that met no server.
      const isOfCut = (error: string) => /net::ERR_/.test(error)
      watch.errors.splice(0, watch.errors.length, ...watch.errors.filter(error => !isOfCut(error)))
    },
    { origin: link.origin },
  ).finally(() => link.close())
  assert.deepEqual(await readdir(join(w.config.home, 'blobs/temporary')), [])
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/files`)
  assert.deepEqual(
    body.items.map(({ size }: { readonly size: number }) => size),
    [BYTES],
  )
})
