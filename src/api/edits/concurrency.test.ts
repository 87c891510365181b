// Many writers at once: every edit is there afterwards, in a revision of its own, and nobody is starved.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { proposeFiles } from '../../../test/support/change-requests.ts'
import {
  changeRequestOn,
  type EditTarget,
  edit,
  headOf,
  liveAt,
  pagesOf,
  readPage,
  untilServed,
  write,
} from '../../../test/support/edits.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { type Reply, world } from '../../../test/support/world.ts'
import { NO_PROOFS } from '../../access/proofs.ts'
import { Failure } from '../../base/errors.ts'
import { Draft } from '../../engines/content/draft.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { updatePage } from '../../engines/content/page-edits.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { NO_PRECONDITIONS } from '../../http/preconditions.ts'
import { TURNS_WAITING_MAX, takeTurn, turnOfSpace } from '../../platform/turns.ts'
import { type ChangeRequestRow, findChangeRequest } from '../change-requests/rows.ts'
import { publish } from '../heads/publish.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'
import { editChangeRequest, editSpace } from './actions.ts'

const w = await world()

const WRITERS = 16
const TOO_MANY = 4
const SITE = { 'README.md': '# Start\n', 'next.md': '# Next\n' }

async function revisionsSince(at: EditTarget, first: string): Promise<number> {
  let count = 0
  for (let id = await headOf(w, at); id !== first; count += 1) {
    const { body } = await w.call('GET', `/spaces/${at.spaceId}/revisions/${id}`)
    assert.equal(body.parents.length, 1)
    id = body.parents[0]
  }
  return count
}

const insertAt = (at: EditTarget, name: string) =>
  write(w, at, [
    { operation: 'insert_page', document: { markdown: `# ${name}\n\nSee [next](/pages/next).\n` } },
  ])

test('with more writers than may wait for a space, each is served or refused at once with Retry-After', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  // What holds the others up, and those who wait already, leave room for some of the writers.
  const { promise, resolve } = Promise.withResolvers<void>()
  const refused: Reply[] = []
  for (let waiting = 0; waiting <= TURNS_WAITING_MAX - WRITERS; waiting += 1)
    void takeTurn(turnOfSpace(at.spaceId), () => promise)
  const writing = Array.from({ length: WRITERS + TOO_MANY }, async (_, n) => {
    const reply = await insertAt(at, `Page ${n}`)
    if (reply.status === 503) refused.push(reply)
    if (refused.length === TOO_MANY) resolve()
    return reply
  })
  const replies = await Promise.all(writing)
  assert.equal(refused.length, TOO_MANY)
  for (const { headers } of refused) assert.equal(headers['retry-after'], '5')
  const done = replies.filter(({ status }) => status === 200)
  assert.equal(done.length, WRITERS)
  assert.equal((await pagesOf(w, at)).size, done.length + 2)
})

test('16 writers of one space: every page is there, one revision each, and the live rows are true', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const first = await headOf(w, at)
  const replies = await Promise.all(
    Array.from({ length: WRITERS }, (_, n) => untilServed(() => insertAt(at, `Page ${n}`))),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(replies.map(({ body }) => body.revision)).size, WRITERS)
  assert.equal((await pagesOf(w, at)).size, WRITERS + 2)
  for (const { body } of replies) {
    const page = await readPage(w, at, body.changes[0].page.id)
    assert.match(page.markdown, /\[next\]\(next\.md\)/)
  }
  assert.equal(await revisionsSince(at, first), WRITERS)
  await assertLiveRows(w.services, at.spaceId)
})

test('16 writers of one change request, and of one page', async () => {
  const at = await changeRequestOn(w, await spaceWith(w, SITE))
  const first = await headOf(w, at)
  const [next] = [...(await pagesOf(w, at)).values()].slice(-1)
  const replies = await Promise.all(
    Array.from({ length: WRITERS }, (_, n) =>
      n % 2 === 0
        ? insertAt(at, `Page ${n}`)
        : write(w, at, [
            { operation: 'update_page', page: next?.id, document: { markdown: `# Next\n\n${n}\n` } },
          ]),
    ),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal((await pagesOf(w, at)).size, WRITERS / 2 + 2)
  assert.equal(await revisionsSince(at, first), WRITERS)
})

test('edits overtaken by an import are applied to the result of the import', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const edits = Array.from({ length: 4 }, (_, n) => insertAt(at, `Page ${n}`))
  // An import gives up after some attempts; its caller asks again.
  const imported = (async () => {
    for (;;) {
      try {
        return await publishFiles(w, at.spaceId, { ...SITE, 'third.md': '# Third\n' })
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'head_moved') throw error
      }
    }
  })()
  await imported
  const replies = await Promise.all(edits)
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  await assertLiveRows(w.services, at.spaceId)
})

/**
 * What an editor of the space calls with; `meanwhile` happens in another process, right before its first write, and
 * `afterwards` right after it.
 */
function contextWith(
  meanwhile: () => Promise<unknown>,
  afterwards: () => Promise<unknown> = async () => {},
): SignedInContext {
  const user = { id: w.people.admin.id }
  let isFirst = true
  const transaction: SignedInContext['transaction'] = async run => {
    if (!isFirst) return w.services.transaction(run)
    isFirst = false
    await meanwhile()
    const result = await w.services.transaction(run)
    await afterwards()
    return result
  }
  const principal = { kind: 'user', user } as unknown as SignedInContext['principal']
  return { ...w.services, ...NO_PRECONDITIONS, principal, proofs: NO_PROOFS, requestId: 'test', transaction }
}

test('edits are applied again to a head that another process moved, and refused when it closed the place', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const next = [...(await pagesOf(w, at)).values()].at(-1)?.id as string
  const change = { operation: 'update_page', page: next, slug: 'later' } as const
  const space = (await findSpace(w.services.db, at.spaceId)) as SpaceRow
  const other = async () => {
    const base = { revisionId: space.revision_id, root: space.root_hash.toString('hex') }
    const draft = new Draft(w.services.objects, base.root)
    await updatePage(draft, next, { icon: 'bolt' })
    const { edits } = draft
    await publish(w.services, {
      spaceId: space.id,
      base,
      edits,
      documents: [],
      type: 'edits',
      createdBy: null,
    })
  }
  await editSpace(contextWith(other), space, [change])
  const page = await readPage(w, at, next)
  assert.deepEqual([page.icon, page.slug], ['bolt', 'later'])
  const locking = () => w.call('PATCH', at.path, { body: { editMode: 'locked' } })
  await assert.rejects(editSpace(contextWith(locking), space, [{ ...change, slug: 'never' }]), {
    code: 'space_locked',
  })
})

test('an edit with a base is merged anew with what another process has written meanwhile', async () => {
  const text = '# Next\n\nFirst.\n\nSecond.\n\nThird.\n'
  const at = liveAt(await spaceWith(w, { ...SITE, 'next.md': text }))
  const page = [...(await pagesOf(w, at)).values()].at(-1)?.id as string
  const base = await headOf(w, at)
  const written = (from: string) => ({
    ...{ operation: 'update_page', page, document: { markdown: text.replace(from, `Mine: ${from}`) } },
  })
  await edit(w, at, written('First'))
  const space = (await findSpace(w.services.db, at.spaceId)) as SpaceRow
  const other = async () => {
    const head = { revisionId: space.revision_id, root: space.root_hash.toString('hex') }
    const draft = new Draft(w.services.objects, head.root)
    const document = encodeDocument(text.replace('First', 'Mine: First').replace('Second', 'Theirs'))
    await updatePage(draft, page, { document: document.hash })
    await publish(w.services, {
      ...{ spaceId: space.id, base: head, edits: draft.edits, documents: [document] },
      ...{ type: 'edits', createdBy: null },
    })
  }
  const change = { ...written('Third'), operation: 'update_page', base } as const
  const { merged } = await editSpace(contextWith(other), space, [change])
  assert.deepEqual(merged, [page])
  assert.equal((await readPage(w, at, page)).markdown, '# Next\n\nMine: First.\n\nTheirs.\n\nMine: Third.\n')
})

test('the answer has the revision that was written, although another one follows right after it', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const changeRequest = await changeRequestOn(w, at.spaceId)
  const change = { operation: 'insert_page', title: 'Mine', document: {} } as const
  const nothing = async () => {}
  const space = (await findSpace(w.services.db, at.spaceId)) as SpaceRow
  const live = await editSpace(
    contextWith(nothing, () => retitleFirst(at.spaceId)),
    space,
    [change],
  )
  const newest = (await findSpace(w.services.db, at.spaceId)) as SpaceRow
  assert.notEqual(newest.revision_id, live.row.revision_id, 'somebody wrote afterwards')
  const { body } = await w.call('GET', `${at.path}/revisions/${newest.revision_id}`)
  assert.deepEqual(body.parents, [live.row.revision_id])

  const before = (await findChangeRequest(w.services.db, changeRequest.id)) as ChangeRequestRow
  const proposed = await editChangeRequest(
    contextWith(nothing, () => proposeFiles(w, changeRequest.id, { ...SITE, 'theirs.md': '# Theirs\n' })),
    before,
    [change],
  )
  const head = await headOf(w, changeRequest)
  assert.notEqual(head, proposed.row.revision_id)
  const theirs = await w.call('GET', `${at.path}/revisions/${head}`)
  assert.deepEqual(theirs.body.parents, [proposed.row.revision_id])
})

test('the content of an edit is read while it waits for its turn, and not read again for the new head', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const tasksDone = () => w.services.compute.counts().tasks.done
  const before = tasksDone()
  const isRead = Promise.withResolvers<void>()
  const others = takeTurn(turnOfSpace(at.spaceId), async () => {
    await isRead.promise
    await retitleFirst(at.spaceId)
  })
  const markdown = `# Long\n\n${'Words for a thread.\n\n'.repeat(200)}`
  const writing = write(w, at, [{ operation: 'insert_page', document: { markdown } }])
  // Its links, and what search finds of it.
  while (tasksDone() < before + 2) await setImmediate()
  isRead.resolve()
  await others
  assert.equal((await writing).status, 200)
  assert.equal(tasksDone(), before + 2)
})

test('a change that no head allows is refused in its turn, and the next writer is served', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const areMadeAhead = Promise.withResolvers<void>()
  const others = takeTurn(turnOfSpace(at.spaceId), () => areMadeAhead.promise)
  const [first] = [...(await pagesOf(w, at)).values()]
  const refused = write(w, at, [{ operation: 'update_page', page: 'none', title: 'Anything' }])
  const removing = write(w, at, [{ operation: 'delete_page', page: first?.id }])
  for (let turns = 0; turns < 50; turns += 1) await setImmediate()
  areMadeAhead.resolve()
  await others
  assert.deepEqual([(await refused).status, (await removing).status], [400, 200])
})

/** What another process does, which takes no turns with this one. */
async function retitleFirst(spaceId: string): Promise<void> {
  const space = (await findSpace(w.services.db, spaceId)) as SpaceRow
  const base = { revisionId: space.revision_id, root: space.root_hash.toString('hex') }
  const draft = new Draft(w.services.objects, base.root)
  await draft.loadPages([null])
  await updatePage(draft, draft.childrenOf(null)[0] as string, { icon: 'bolt' })
  await publish(w.services, {
    ...{ spaceId, base, edits: draft.edits, documents: [] },
    ...{ type: 'edits', createdBy: null },
  })
}

test('of writers that all name one revision with If-Match exactly one is served', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const headers = { 'if-match': `"${await headOf(w, at)}"` }
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      write(w, at, [{ operation: 'insert_page', title: `Page ${n}`, document: {} }], { headers }),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412])
  assert.equal((await pagesOf(w, at)).size, 3)
})

test('a page of a large space is written without reading or writing the others', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [`folder-${n % 20}/page-${n}.md`, `# ${n}\n`]),
  )
  const at = await changeRequestOn(w, await spaceWith(w, files))
  const [page] = [...(await pagesOf(w, at)).values()].slice(-1)
  const change = (text: string) => ({
    operation: 'update_page',
    page: page?.id,
    document: { markdown: `# ${text}\n` },
  })
  await edit(w, at, change('warm'))
  const before = await countObjects()
  await edit(w, at, change('once'))
  // The document, the leaf and the nodes above it.
  assert.ok((await countObjects()) - before <= 5)
})

const countObjects = async (): Promise<number> => {
  const { count } = await w.services.db
    .selectFrom('objects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
