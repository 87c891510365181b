// Links in answers have the shapes of the public interface (docs/content.md): every place comes with all places around
// it, for every kind of place and caller.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { changeRequestWith } from '../support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../support/pages.ts'
import { world } from '../support/world.ts'

const w = await world()

const Text = Type.String({ minLength: 1 })
const Instant = Type.String({ format: 'date-time' })

const Organization = Type.Object({
  object: Type.Literal('organization'),
  ...{ id: Text, title: Text, createdAt: Instant, type: Text, plan: Text },
  emailDomains: Type.Array(Type.String()),
  inviteLinks: Type.Boolean(),
  mergeRules: Type.Object({ type: Text }),
  urls: Type.Object({ location: Text, app: Text }),
  permissions: Type.Object({ view: Type.Boolean() }),
})
const Space = Type.Object({
  object: Type.Literal('space'),
  ...{ id: Text, organization: Text, title: Type.String(), createdAt: Instant, updatedAt: Instant },
  ...{ visibility: Text, revision: Text, comments: Type.Integer(), changeRequests: Type.Integer() },
  urls: Type.Object({ location: Text, app: Text }),
  permissions: Type.Object({ view: Type.Boolean() }),
})
const Page = Type.Object({
  ...{ id: Text, title: Text, type: Type.Literal('document'), slug: Text, path: Text },
  pages: Type.Array(Type.Unknown()),
  urls: Type.Object({ app: Text }),
  layout: Type.Object({ width: Text, title: Type.Boolean() }),
})
const File = Type.Object({
  ...{ id: Text, name: Text, contentType: Text, downloadURL: Text, size: Type.Number() },
})
const Reusable = Type.Object({ id: Text, title: Text, document: Text })
const VersionContext = Type.Union([
  Type.Object({
    type: Type.Literal('revision'),
    revision: Type.Object({ object: Type.Literal('revision'), id: Text, pages: Type.Array(Type.Unknown()) }),
  }),
  Type.Object({
    type: Type.Literal('changeRequest'),
    changeRequest: Type.Object({ object: Type.Literal('change-request'), id: Text, number: Type.Integer() }),
  }),
])
const around = {
  organization: Organization,
  space: Space,
  versionContext: Type.Optional(VersionContext),
}
const Location = Type.Union([
  Type.Object({ kind: Type.Literal('url'), url: Text }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal('page'),
      ...around,
      page: Page,
      internalLocation: Type.Optional(Type.Object({ type: Type.Literal('anchor'), anchor: Text })),
    },
    { additionalProperties: false },
  ),
  Type.Object({ kind: Type.Literal('file'), ...around, file: File }, { additionalProperties: false }),
  Type.Object(
    { kind: Type.Literal('reusable-content'), ...around, reusableContent: Reusable },
    { additionalProperties: false },
  ),
])
const listOf = (items: TSchema) => ({
  items: Type.Array(items),
  count: Type.Integer(),
  next: Type.Optional(Type.Object({ page: Text })),
})
const Links = Type.Object({
  ...listOf(
    Type.Object({
      status: Type.Union([Type.Literal('ok'), Type.Literal('broken'), Type.Literal('in-app')]),
      relation: Type.Union([Type.Literal('reference'), Type.Literal('dependsOn')]),
      targetReference: Type.Optional(Location),
      locationReferences: Type.Array(Location, { minItems: 1 }),
    }),
  ),
  stats: Type.Object({
    total: Type.Integer(),
    broken: Type.Object({ total: Type.Integer(), changeRequest: Type.Optional(Type.Integer()) }),
  }),
})
const Backlinks = Type.Object(listOf(Location))

const files = {
  'README.md': [
    '# Home\n\n[a](a.md) [part](a.md#part) [here](#home) [gone](gone.md) [out](https://example.com)',
    '[app](https://app.gitbook.com/o/x) ![dot](.gitbook/assets/dot.png)',
    '{% include ".gitbook/includes/note.md" %}\n',
  ].join('\n\n'),
  'a.md': '# A\n\n## Part\n\nWords.\n',
  '.gitbook/includes/note.md': '# Note\n\n[a](../../a.md)\n',
  '.gitbook/assets/dot.png': PIXEL,
}

test('links and backlinks have the shapes of the public interface', async () => {
  const space = await spaceWith(w, files, { visibility: 'public' })
  const { id } = await changeRequestWith(w, space, { ...files, 'a.md': '# A\n\n[b](b.md)\n' })
  for (const [at, as] of [
    [`/spaces/${space}`, 'admin'],
    [`/spaces/${space}`, 'stranger'],
    [`/spaces/${space}/change-requests/${id}`, 'admin'],
  ] as const) {
    const get = async (path: string) => (await w.call('GET', `${at}${path}`, { as })).body
    const page = await get('/content/path/a')
    const { items } = await get('/content/files')
    for (const [path, shape] of [
      ['/links', Links],
      [`/content/page/${page.id}/links`, Links],
      [`/content/page/${page.id}/backlinks`, Backlinks],
      [`/content/files/${items[0].id}/backlinks`, Backlinks],
    ] as const) {
      const body = await get(path)
      if (path !== `/content/page/${page.id}/links`) assert.ok(body.count > 0, path)
      assert.ok(Check(shape, body), `${as} ${path}: ${JSON.stringify(body).slice(0, 3000)}`)
    }
    const kinds = new Set(
      (await get('/links')).items.map(
        (item: { targetReference: { kind: string } }) => item.targetReference.kind,
      ),
    )
    assert.deepEqual([...kinds].sort(), ['file', 'page', 'reusable-content', 'url'])
  }
})

test('what a broken link meant has the shapes of the public interface too, and what a change request mends', async () => {
  const space = await spaceWith(w, files)
  const alone = { 'README.md': files['README.md'] }
  const { id } = await changeRequestWith(w, space, { ...files, 'gone.md': '# Gone\n' })
  await publishFiles(w, space, alone)
  for (const [path, kinds] of [
    [`/spaces/${space}/links?status=broken`, ['file', 'page', 'reusable-content', 'url']],
    [`/spaces/${space}/change-requests/${id}/links?brokenContext=mended`, ['url']],
  ] as const) {
    const { body } = await w.call('GET', path)
    assert.equal(Check(Links, body), true, `${path}: ${JSON.stringify(body).slice(0, 3000)}`)
    const found = body.items.map((item: { targetReference: { kind: string } }) => item.targetReference.kind)
    assert.deepEqual([...new Set(found)].sort(), kinds)
  }
})
