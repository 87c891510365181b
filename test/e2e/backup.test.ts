// `octavo backup` beside a running server, and `octavo restore` into a new place, as an operator does both.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anyInstallation, isPostgres, newInstallation } from '../support/own-database.ts'
import { run, serve, temporaryFolder } from '../support/process.ts'

const skip = isPostgres && 'src/cli/backup.test.ts tests the differences between the databases'

test('what a running server saved, another one serves: with its tokens, and after a restore that said what it did', {
  skip,
}, async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'octavo.tar.gz')
  const { home, env } = await anyInstallation()
  const server = await serve(home, { env })
  const { body: orgs } = await server.call('GET', '/orgs')
  const title = `Kept ${Date.now()}`
  const { body: space } = await server.call('POST', `/orgs/${orgs.items[0].id}/spaces`, { body: { title } })

  const saved = await run(['backup', 'octavo.tar.gz'], { env: { OCTAVO_HOME: home, ...env }, cwd: folder })
  assert.equal(saved.code, 0, saved.stderr)
  assert.match(saved.stderr, /^wrote \d+ rows and \d+ files: [\d.]+ MB\n$/m)
  assert.equal(saved.stdout, '')
  assert.deepEqual(readdirSync(folder), ['octavo.tar.gz'])
  await server.end('SIGTERM')

  const elsewhere = await newInstallation()
  const restored = await run(['restore', file], { env: { OCTAVO_HOME: elsewhere.home, ...elsewhere.env } })
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(
    restored.stderr,
    /^restored \d+ rows and \d+ files from a backup that Octavo \d[\w.-]+ made at /m,
  )
  const done = await run(['restore', file], { env: { OCTAVO_HOME: elsewhere.home, ...elsewhere.env } })
  assert.match(
    done.stderr,
    /^octavo: The database was filled from this backup already, and holds all of it\.$/m,
  )
  const second = await serve(elsewhere.home, { env: elsewhere.env })
  const { body: found } = await second.call('GET', `/spaces/${space.id}`)
  assert.equal(found.title, title)
})
