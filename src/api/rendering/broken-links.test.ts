// The API and the reader agree on links: over real documentation, no link that works is called broken,
// and none that does not is called ok.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isChosen } from '../../../test/support/corpus.ts'
import { testDatabaseUrl } from '../../../test/support/database.ts'
import { world } from '../../../test/support/world.ts'
import type { AddressKey } from '../../compute/addresses.ts'
import type { ImageSource, LinkTarget } from '../../engines/markdown/html/html.ts'
import type { ContentAt } from '../content/place.ts'
import { importFolder } from '../git-sync/import.ts'
import { findLinks } from '../links/reads.ts'
import type { LinkRow } from '../links/rows.ts'
import { findSpace } from '../spaces/rows.ts'
import { addressBelow, addressesFrom } from './addresses.ts'

const CORPUS = join(import.meta.dirname, '../../../../shared/corpus')
const skip = !existsSync(CORPUS)
  ? 'the corpus is not beside the project'
  : testDatabaseUrl !== 'embedded' &&
    'it takes long, and what it asks of the database is tested on both by itself'
const w = await world()
const { services } = w

async function everyLink(at: ContentAt): Promise<LinkRow[]> {
  const rows: LinkRow[] = []
  let next = {}
  for (;;) {
    const { found } = await findLinks(services, at, undefined, { limit: 1000, ...next }, async () => [])
    rows.push(...found.items)
    if (found.next === undefined) return rows
    next = { page: found.next }
  }
}

for (const repository of ['beefree-sdk-docs', 'dify-docs-zh']) {
  test(`${repository}: the API and the reader agree on every link`, { skip }, async () => {
    const { id } = await w.createSpace({ visibility: 'public' })
    await importFolder(services, {
      spaceId: id,
      folder: join(CORPUS, repository),
      createdBy: w.people.admin.id,
    })
    const space = (await findSpace(services.db, id)) ?? assert.fail('no space')
    const root = space.root_hash.toString('hex')
    const content = await services.contents.get(root)
    const at: ContentAt = {
      ...{ space, revisionId: space.revision_id, root, isMember: true, role: 'admin', changeRequest: null },
      sight: 'published',
    }
    const shown = new Map<string, ReadonlySet<string>>()
    const idsAt = async (path: string): Promise<ReadonlySet<string>> => {
      const known = shown.get(path)
      if (known !== undefined) return known
      const { body, statusCode } = await w.app.inject({ url: path })
      assert.equal(statusCode, 200, path)
      const ids = new Set(
        [...body.matchAll(/<[a-z][^<>]* id="([^"]*)"/g)].map(([, one = '']) =>
          one.replaceAll('&amp;', '&').toLowerCase(),
        ),
      )
      shown.set(path, ids)
      return ids
    }
    const address = addressBelow(`/s/${id}`, content)
    const works = async ({ from_id, kind, destination, usage }: LinkRow): Promise<boolean> => {
      const find = addressesFrom(services, content, content.pages.get(from_id)?.file ?? '', address)
      const asked: AddressKey = ['', usage === 'image' ? 'image' : 'link', destination]
      const found = find(asked) as LinkTarget | ImageSource | null
      if (found === null) return false
      if ('src' in found) return true
      if (found.isBroken) return false
      const href = kind === 'anchor' ? `${address(from_id, '')}${found.href}` : found.href
      const [path = '', place = ''] = href.split('#')
      if (place === '' || !path.startsWith('/s/')) return true
      return (await idsAt(path)).has(decodeURIComponent(place).toLowerCase())
    }
    const rows = (await everyLink(at)).filter(({ kind }) => kind === 'path' || kind === 'anchor')
    const chosen = new Set([...content.pages.keys()].filter((_, at) => isChosen(at, 8)))
    const wrong: string[] = []
    for (const row of rows.filter(({ from_id }) => chosen.has(from_id)))
      if ((await works(row)) === (row.status === 'broken'))
        wrong.push(`${row.status} ${row.usage} ${content.pages.get(row.from_id)?.file}: ${row.destination}`)
    assert.deepEqual(wrong, [])
    assert.ok(rows.length > 500 && rows.some(({ status }) => status === 'broken'))
  })
}
