// Writing content for a test as a program would: over HTTP, on a space or on a change request of it.
import assert from 'node:assert/strict'
import type { Call, Reply, World } from './world.ts'

export type Change = Readonly<Record<string, unknown>>

/** Where content is written: a space, or a change request. */
export type EditTarget = { readonly spaceId: string; readonly path: string; readonly id: string }

export type TreePage = {
  readonly id: string
  readonly title: string
  readonly path?: string
  readonly pages?: readonly TreePage[]
}

export const liveAt = (spaceId: string): EditTarget => ({ spaceId, id: spaceId, path: `/spaces/${spaceId}` })

/** A new change request of the space. */
export async function changeRequestOn(w: World, spaceId: string): Promise<EditTarget> {
  const { body } = await w.call('POST', `/spaces/${spaceId}/change-requests`)
  return { spaceId, id: body.id, path: `/spaces/${spaceId}/change-requests/${body.id}` }
}

export const write = (w: World, at: EditTarget, changes: readonly Change[], call: Call = {}) =>
  w.call('POST', `${at.path}/content?compat=false`, { body: { changes }, ...call })

/** Asks again while the server has more to do than it can in time, as its answer says. */
export async function untilServed(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask()
    if (reply.status !== 503) return reply
  }
}

/** Writes what has to succeed; answers what was made. */
export async function edit(w: World, at: EditTarget, ...changes: Change[]) {
  const { status, body } = await untilServed(() => write(w, at, changes))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Expects a refusal and that nothing of the request was applied; answers the message. */
export async function refused(
  w: World,
  at: EditTarget,
  changes: readonly Change[],
  status = 400,
): Promise<string> {
  const before = await headOf(w, at)
  const { status: answered, body } = await write(w, at, changes)
  assert.equal(answered, status, JSON.stringify(body))
  assert.equal(await headOf(w, at), before, 'the head stays')
  return body.error.message
}

export const headOf = async (w: World, { path }: EditTarget): Promise<string> =>
  (await w.call('GET', path)).body.revision

/** The pages by their path, links by their title, in the order of the tree. */
export async function pagesOf(w: World, { path }: EditTarget): Promise<Map<string, TreePage>> {
  const all = new Map<string, TreePage>()
  const visit = (pages: readonly TreePage[]) => {
    for (const page of pages) {
      all.set(page.path ?? page.title, page)
      visit(page.pages ?? [])
    }
  }
  visit((await w.call('GET', `${path}/content/pages`)).body.pages)
  return all
}

export async function idAt(w: World, at: EditTarget, path: string): Promise<string> {
  const page = (await pagesOf(w, at)).get(path)
  assert.ok(page !== undefined, `there is a page at ${path}`)
  return page.id
}

export const readPage = async (w: World, { path }: EditTarget, id: string) =>
  (await w.call('GET', `${path}/content/page/${id}`)).body
