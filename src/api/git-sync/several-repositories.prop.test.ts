// No line that anybody wrote disappears, whatever is imported from and exported to two repositories in which order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { edit, idAt, liveAt, readPage } from '../../../test/support/edits.ts'
import { file, importWorld } from '../../../test/support/imports.ts'
import { runs } from '../../../test/support/property-runs.ts'
import type { TestRepository } from '../../../test/support/repositories.ts'

const w = await importWorld()
const { services } = w

const PAGES = ['one', 'two', 'three'] as const
type Page = (typeof PAGES)[number]
type Step =
  | { readonly kind: 'write'; readonly page: Page }
  | { readonly kind: 'commit'; readonly page: Page; readonly to: number }
  | { readonly kind: 'import' | 'export' | 'mirror'; readonly to: number }

const to = fc.nat({ max: 1 })
const page = fc.constantFrom(...PAGES)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), page }),
  fc.record({ kind: fc.constant('commit' as const), page, to }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('import' as const, 'export' as const), to }) },
  fc.record({ kind: fc.constant('mirror' as const), to }),
)

const textIn = async (repository: TestRepository, path: string) =>
  (await repository.git(['show', `main:${path}`])).toString()

/** Every text of the space, of its change requests and of the repositories. */
async function everything(spaceId: string, repositories: readonly TestRepository[]): Promise<string> {
  const rows = await services.db
    .selectFrom('revisions')
    .innerJoin('spaces', 'spaces.id', 'revisions.space_id')
    .select('root_hash')
    .where('revisions.space_id', '=', spaceId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('revisions.id', '=', eb.ref('spaces.revision_id')),
        exists(
          selectFrom('change_requests as c').select('c.id').whereRef('c.revision_id', '=', 'revisions.id'),
        ),
      ]),
    )
    .execute()
  const hashes: string[] = []
  for (const { root_hash } of rows)
    for (const { document } of (await services.contents.get(root_hash.toString('hex'))).pages.values())
      if (document !== null) hashes.push(document)
  const texts = [...(await services.objects.getMany(hashes)).values()].map(bytes =>
    Buffer.from(bytes).toString(),
  )
  for (const repository of repositories)
    for (const name of PAGES) texts.push(await textIn(repository, `${name}.md`))
  return texts.join('\n')
}

test('no line disappears from the space, its change requests and two repositories', async () => {
  const sequences = fc.array(step, { minLength: 6, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(sequences, async steps => {
      const files = PAGES.map(name => file(`${name}.md`, `# ${name}\n`))
      const first = await w.repository(files, [file('one.md', '# one\n\nSecond.\n')])
      const second = await first.copy(`mirror-${first.name}`)
      await second.git(['update-ref', 'refs/heads/main', 'main~1'])
      const repositories = [first, second]
      const space = await w.createSpace()
      const at = liveAt(space.id)
      assert.equal((await w.import(space, first)).state, 'success')
      const lines = ['Second.']
      for (const [number, { kind, ...of }] of steps.entries()) {
        const line = `Line ${number} of ${kind}.`
        const repository = repositories['to' in of ? of.to : 0]!
        if (kind === 'write' && 'page' in of) {
          const id = await idAt(w, at, of.page)
          const { markdown } = await readPage(w, at, id)
          await edit(w, at, {
            ...{ operation: 'update_page', page: id, document: { markdown: `${markdown}\n${line}\n` } },
          })
          lines.push(line)
        } else if (kind === 'commit' && 'page' in of) {
          const path = `${of.page}.md`
          await repository.commit({ changes: [file(path, `${await textIn(repository, path)}\n${line}\n`)] })
          lines.push(line)
        } else if (kind === 'import') await w.import(space, repository)
        else if (kind === 'export') await w.export(space, repository)
        else {
          // Refused unless it is a fast-forward.
          const other = repositories.find(each => each !== repository)!
          await repository.git(['fetch', '--quiet', other.directory, 'main:main']).catch(() => {})
        }
        const all = await everything(space.id, repositories)
        for (const each of lines) assert.ok(all.includes(each), `${each} is gone after step ${number}`)
      }
    }),
    { numRuns: runs(4) },
  )
})
