// Every version opens the data of all releases before it, and has everything that they had.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { inventoryOf } from '../support/inventory.ts'
import { ROOT, run, serve, temporaryFolder } from '../support/process.ts'

const RELEASES = join(ROOT, 'test/releases')

for (const name of readdirSync(RELEASES)) {
  test(`the data of ${name.replace('.tar.zst', '')} is migrated and whole, and can be written to`, async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'data.tar'), zstdDecompressSync(readFileSync(join(RELEASES, name))))
    execFileSync('tar', ['--extract', '--file', join(folder, 'data.tar'), '--directory', folder])
    const { token, spaces } = JSON.parse(readFileSync(join(folder, 'holds.json'), 'utf8'))
    const home = join(folder, 'home')
    const server = await serve(home, { env: { OCTAVO_ADMIN_TOKEN: token } })
    assert.deepEqual(await inventoryOf(async path => (await server.call('GET', path)).body), spaces)
    const [{ id: organization }] = (await server.call('GET', '/orgs')).body.items
    const [{ id: space }] = (await server.call('GET', `/orgs/${organization}/spaces`)).body.items
    const opened = await server.call('POST', `/spaces/${space}/change-requests`, {
      body: { subject: 'Later' },
    })
    assert.equal(opened.status, 201)
    assert.equal((await server.end('SIGTERM')).code, 0)
    const { code, stdout, stderr } = await run(['doctor'], { env: { OCTAVO_HOME: home } })
    assert.equal(code, 0, stdout + stderr)
  })
}
