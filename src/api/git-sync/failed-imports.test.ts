// Imports that end before they are done, or are begun twice: a space has all of a commit or nothing of it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { test } from 'node:test'
import { file, importWorld } from '../../../test/support/imports.ts'

const w = await importWorld()

const HOME = () => [file('README.md', '# Home\n')]
/** Bytes that nothing makes smaller. */
const LATER = () => [file('next.md', '# Next\n'), file('.gitbook/assets/a.bin', randomBytes(100_000))]

const revisionsOf = async (space: { id: string }): Promise<number> =>
  (await w.get(`/spaces/${space.id}/revisions`)).items.length

test('an import that is cut off at nine tenths changes nothing of what a space has, and the next try brings all', async () => {
  const space = await w.createSpace()
  const repository = await w.repository(HOME())
  await w.import(space, repository)
  const before = await w.get(`/spaces/${space.id}`)
  await repository.commit({ changes: LATER() })
  w.host.misbehave({ kind: 'cut', afterBytes: 90_000 })
  const failed = await w.import(space, repository).finally(() => w.host.misbehave(undefined))
  assert.deepEqual([failed.state, failed.errorCode], ['failure', 'git_interrupted'])
  assert.equal((await w.get(`/spaces/${space.id}`)).revision, before.revision)
  assert.equal((await w.get(`/spaces/${space.id}/content/files`)).count, 0)
  const { state } = await w.import(space, repository)
  assert.equal(state, 'success')
  assert.deepEqual(await w.tree(space), ['document readme | Home', 'document next | Next'])
  assert.equal((await w.get(`/spaces/${space.id}/content/files`)).count, 1)
})

test('a repository that vanishes between two imports leaves what the space has, and is imported once it is there again', async () => {
  const space = await w.createSpace()
  const repository = await w.repository(HOME())
  await w.import(space, repository)
  await repository.commit({ changes: LATER() })
  await rename(repository.directory, `${repository.directory}.gone`)
  const failed = await w.import(space, repository)
  assert.equal(failed.errorCode, 'git_repository_missing')
  assert.deepEqual(await w.tree(space), ['document readme | Home'])
  await rename(`${repository.directory}.gone`, repository.directory)
  assert.equal((await w.import(space, repository)).state, 'success')
})

test('an import that is begun in two tabs at once makes one revision, and the second says that nothing was new', async () => {
  const space = await w.createSpace()
  const repository = await w.repository(HOME())
  const before = await revisionsOf(space)
  const body = { url: w.host.urlOf(repository.name), ref: 'refs/heads/main' }
  const begin = () => w.call('POST', `/spaces/${space.id}/git/import`, { body })
  const [one, other] = await Promise.all([begin(), begin()])
  const operations = [await w.operation(one), await w.operation(other)]
  assert.deepEqual(
    operations.map(({ state }) => state),
    ['success', 'success'],
  )
  assert.deepEqual(operations.map(({ skipped }) => skipped).toSorted(), [false, true])
  assert.equal(await revisionsOf(space), before + 1)
})
