import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  changeRequestOn,
  edit,
  headOf,
  idAt,
  liveAt,
  pagesOf,
  readPage,
} from '../../../test/support/edits.ts'
import {
  type Change,
  createRepository,
  type NewCommit,
  runGit,
  type TestRepository,
} from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { forbidden } from '../../base/errors.ts'
import { remotesFolder, updateRemote } from './repository.ts'
import { type Rights, whileRightsHold } from './rights.ts'

const w = await world()
const folder = mkdtempSync(join(tmpdir(), 'octavo-push-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let clones = 0

type Clone = TestRepository & {
  readonly spaceId: string
  /** Pushes, and answers what git says; `!` begins a line of what was refused. */
  push(...args: string[]): Promise<string>
  fetch(): Promise<void>
  out(...args: string[]): Promise<string>
}

/** A clone of the space, by the git of this machine; a commit begins on the branch of the space that it names. */
async function cloneOf(spaceId: string, as: PersonName | { token: string } = 'admin'): Promise<Clone> {
  const url = new URL(`/git/${spaceId}.git`, await originOf(w))
  url.username = typeof as === 'string' ? w.people[as].token : as.token
  const clone = await createRepository(folder, `clone-${++clones}.git`)
  const out = async (...args: string[]) => (await clone.git(args)).toString().trim()
  await appendFile(join(clone.directory, 'config'), `[remote "origin"]\nurl = ${url.href}\n`)
  const fetch = async () => {
    await out('fetch', '--quiet', '--prune', 'origin', '+refs/heads/*:refs/remotes/origin/*')
  }
  await fetch()
  await clone.setTip('refs/heads/main', await clone.tip('refs/remotes/origin/main'))
  return {
    ...clone,
    ...{ spaceId, fetch, out },
    async push(...args) {
      const all = ['--git-dir', clone.directory, 'push', '--porcelain', 'origin', ...args]
      const { output, errors } = await runGit(all)
      return output + errors
    },
  }
}

/** The branches of the space as a clone would have them, read where the server keeps them. */
async function branchesOf(spaceId: string): Promise<ReadonlyMap<string, string>> {
  const { branches } = await updateRemote(w.services, spaceId)
  return new Map(branches.map(({ name, oid }) => [name, oid]))
}

/** A commit on a branch, which begins upon main. */
async function commitOn(
  clone: Clone,
  branch: string,
  changes: readonly Change[],
  more: Partial<NewCommit> = {},
) {
  const ref = `refs/heads/${branch}`
  const isThere = existsSync(join(clone.directory, ref))
  return clone.commit({ changes, ref, ...(isThere ? {} : { onto: await clone.tip() }), ...more })
}

const file = (path: string, content: string): Change => ({ path, content })

async function spaceWithPages(body = {}) {
  const space = await w.createSpace(body)
  const at = liveAt(space.id)
  await edit(
    w,
    at,
    { operation: 'insert_page', title: 'Start', document: { markdown: '# Start\n\nHello.\n' } },
    { operation: 'insert_page', title: 'More', document: { markdown: '# More\n\nA word.\n' } },
  )
  return { space, at }
}

const requestOf = async (spaceId: string, number: number) =>
  (await w.call('GET', `/spaces/${spaceId}/change-requests/${number}`)).body

test('a new branch opens a change request, and what is merged has the commits that were pushed', async () => {
  const { space, at } = await spaceWithPages()
  const clone = await cloneOf(space.id)
  const first = await commitOn(clone, 'ada/fix', [file('more.md', '# More\n\nOne.\n')], { message: 'One' })
  const second = await commitOn(clone, 'ada/fix', [file('more.md', '# More\n\nTwo words.\n')], {
    message: 'Say it\n\nBecause.',
  })
  const said = await clone.push('ada/fix')
  assert.match(said, /^\*\trefs\/heads\/ada\/fix:refs\/heads\/ada\/fix\t\[new branch\]/m)

  const request = await requestOf(space.id, 1)
  assert.deepEqual([request.status, request.subject], ['open', 'Say it'])
  const changeRequest = { spaceId: space.id, id: request.id, path: `/spaces/${space.id}/change-requests/1` }
  assert.equal(
    (await readPage(w, changeRequest, await idAt(w, at, 'more'))).markdown,
    '# More\n\nTwo words.\n',
  )
  assert.equal((await branchesOf(space.id)).get('ada/fix'), second, 'it comes back as it was')

  const third = await commitOn(clone, 'ada/fix', [file('more.md', '# More\n\nThree words.\n')])
  assert.match(await clone.push('ada/fix'), /^ \trefs\/heads\/ada\/fix/m)
  assert.equal(
    (await readPage(w, changeRequest, await idAt(w, at, 'more'))).markdown,
    '# More\n\nThree words.\n',
  )
  await edit(w, at, { operation: 'insert_page', title: 'Other', document: { markdown: '# Other\n' } })
  assert.equal((await w.call('POST', `${changeRequest.path}/merge`)).status, 200)
  await clone.fetch()
  const log = (await clone.out('log', '--format=%H', 'origin/main')).split('\n')
  for (const oid of [first, second, third]) assert.ok(log.includes(oid))
  assert.equal(await clone.out('show', 'origin/main:more.md'), '# More\n\nThree words.')
  assert.match(await clone.out('show', 'origin/main:SUMMARY.md'), /\[Other\]/)
  const tips = await clone.out('for-each-ref', 'refs/remotes')
  assert.doesNotMatch(tips, /ada\/fix/)
  await clone.out('fsck', '--strict')

  rmSync(join(remotesFolder(w.config), space.id), { recursive: true })
  const anew = await cloneOf(space.id)
  assert.equal(await anew.out('for-each-ref', 'refs/remotes'), tips, 'the same after the cache was lost')
  await anew.out('fsck', '--strict', '--connectivity-only')

  await w.services.db.deleteFrom('git_packs').where('space_id', '=', space.id).execute()
  rmSync(join(remotesFolder(w.config), space.id), { recursive: true })
  const without = await cloneOf(space.id)
  assert.equal(await without.out('show', 'origin/main:more.md'), '# More\n\nThree words.')
  await without.out('merge-base', '--is-ancestor', 'origin/main~1', 'origin/main')
})

test('a push to main is a live edit, and where the space is locked it says how', async () => {
  const { space, at } = await spaceWithPages()
  const target = { kind: 'space', space: (await w.createSpace()).id }
  await edit(w, at, { operation: 'insert_page', type: 'link', title: 'Elsewhere', target })
  const [more, elsewhere] = [await idAt(w, at, 'more'), await idAt(w, at, 'Elsewhere')]
  const clone = await cloneOf(space.id)
  const summary =
    '# Contents\n\n- [Begin](start.md)\n  - [More](more/more.md)\n- [New](new.md)\n- Elsewhere\n'
  const oid = await clone.commit({
    changes: [
      ...[file('SUMMARY.md', summary), file('new.md', '# New\n\n![dot](.gitbook/assets/dot.svg)\n')],
      { path: 'more.md', renamedTo: 'more/more.md' },
      file('.gitbook/assets/dot.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
  })
  assert.match(await clone.push('main'), /^ \trefs\/heads\/main/m)
  const pages = await pagesOf(w, at)
  assert.deepEqual([...pages.keys()], ['start', 'start/more', 'new', 'Elsewhere'])
  assert.equal(pages.get('Elsewhere')?.id, elsewhere, 'so is a link that no file can say')
  assert.equal(pages.get('start/more')?.id, more, 'a page that moves is the page that it was')
  const { body: revisions } = await w.call('GET', `/spaces/${space.id}/revisions?limit=1`)
  assert.equal(revisions.items[0].git.oid, oid)
  assert.equal(revisions.items[0].commitAuthor, 'Ada Writer')
  assert.equal(revisions.items[0].git.author, undefined)
  await edit(w, at, { operation: 'update_page', page: more, document: { markdown: '# More\n\nLive.\n' } })
  await clone.fetch()
  const [parent, ...lines] = (
    await clone.out('show', '--no-patch', '--format=%P', 'origin/main', 'origin/main:SUMMARY.md')
  ).split('\n')
  assert.equal(parent, oid)
  assert.equal(lines.join('\n').trim(), summary.trim())

  await clone.commit({ changes: [file('new.md', '# New\n\nElse.\n')] })
  assert.match(await clone.push('main'), /^!\t.*\[rejected\] \((?:fetch first|non-fast-forward)\)/m)
  assert.match(await clone.push('+main'), /^!\t.*history is not rewritten/m)
  await w.call('PATCH', at.path, { body: { editMode: 'locked' } })
  const onto = await clone.tip('refs/remotes/origin/main')
  await clone.commit({ onto, changes: [file('new.md', '# New\n\nElse.\n')] })
  assert.match(
    await clone.push('main'),
    /^!\t.*takes no direct edits: push the commits to a branch of another name/m,
  )
  const empty = await clone.commit({ changes: [] })
  assert.match(await clone.push('main:fix'), /\[new branch\]/)
  assert.equal((await branchesOf(space.id)).get('fix'), empty, 'a commit that changes nothing comes back too')
})

test('a page without text has an empty file in a clone, stays as it is when others are pushed, and gets what is written into it', async () => {
  const { space, at } = await spaceWithPages()
  await edit(w, at, { operation: 'insert_page', title: 'Later', document: {} })
  const id = await idAt(w, at, 'later')
  const clone = await cloneOf(space.id)
  assert.match(await clone.out('show', 'main:SUMMARY.md'), /\[Later\]\(later\.md\)/)
  assert.equal(await clone.out('cat-file', '-s', 'main:later.md'), '0')
  await clone.commit({ changes: [file('more.md', '# More\n\nElse.\n')] })
  assert.match(await clone.push('main'), /^ \trefs\/heads\/main/m)
  const { body: kept } = await w.call('GET', `${at.path}/content/page/${id}`)
  assert.deepEqual([kept.title, kept.documentId], ['Later', undefined])
  await clone.commit({ changes: [file('later.md', '# Later\n\nWritten.\n')] })
  assert.match(await clone.push('main'), /^ \trefs\/heads\/main/m)
  assert.equal(await idAt(w, at, 'later'), id)
  assert.match((await w.call('GET', `${at.path}/content/page/${id}`)).body.markdown, /Written/)
})

test('what git merged is merged: main into a branch, a branch into main, a branch from the middle of another', async () => {
  const { space, at } = await spaceWithPages()
  const changeRequest = await changeRequestOn(w, space.id)
  const [start, more] = [await idAt(w, at, 'start'), await idAt(w, at, 'more')]
  await edit(w, changeRequest, { operation: 'update_page', page: start, title: 'Begin', slug: 'much' })
  const clone = await cloneOf(space.id)
  await edit(w, at, { operation: 'update_page', page: more, slug: 'mehr' })
  await edit(w, at, {
    operation: 'insert_page',
    title: 'Late',
    slug: 'later',
    document: { markdown: '# Late\n' },
  })
  const late = await idAt(w, at, 'later')
  await clone.fetch()
  const branch = 'refs/heads/change-requests/1'
  const onto = await clone.tip('refs/remotes/origin/change-requests/1')
  const middle = await clone.commit({
    ...{ ref: branch, onto },
    changes: [file('more.md', '# More\n\nHello you.\n')],
  })
  const tree = await clone.out('merge-tree', '--write-tree', branch, 'refs/remotes/origin/main')
  const merge = await clone.out(
    ...['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit-tree', tree, '-m', 'Merge main'],
    ...['-p', branch, '-p', 'refs/remotes/origin/main'],
  )
  await clone.setTip(branch, merge)
  assert.match(await clone.push('change-requests/1'), /^ \trefs/m)
  const pages = await pagesOf(w, changeRequest)
  assert.deepEqual(
    [...pages].map(([path, { id }]) => [path, id]),
    [
      ['much', start],
      ['mehr', more],
      ['later', late],
    ],
    'what no file says is merged too',
  )
  assert.equal((await requestOf(space.id, 1)).outdated, false)

  // A branch that begins at a commit that was pushed below another.
  await commitOn(clone, 'middle', [file('more.md', '# More\n\nMiddle.\n')], { onto: middle })
  assert.match(await clone.push('middle'), /\[new branch\]/)
  assert.deepEqual(
    [...(await pagesOf(w, { ...at, path: `${at.path}/change-requests/2` })).keys()],
    ['much', 'more'],
  )

  // Main moves on to the branch: the same commit is two revisions.
  const moved = await clone.push(`${branch}:refs/heads/main`)
  assert.match(moved, /^ \trefs/m)
  assert.match(moved, /^remote: Change request #1 is merged: http.*\/w\/s\/[^/]+\/c\/1 *$/m)
  assert.doesNotMatch(moved, /#2/)
  const merged = await requestOf(space.id, 1)
  const head = await headOf(w, at)
  assert.deepEqual([merged.status, merged.revisionMerged], ['merged', head])
  assert.equal((await requestOf(space.id, 2)).status, 'open')
  const { body: told } = await w.call('GET', `/orgs/${w.organizationId}/events?limit=100&space=${space.id}`)
  assert.ok(JSON.stringify(told).includes('change_request.merged'), JSON.stringify(told).slice(0, 300))
  assert.deepEqual([...(await pagesOf(w, at)).keys()], ['much', 'mehr', 'later'])
  const tips = await branchesOf(space.id)
  assert.equal(tips.get('main'), merge)
  rmSync(join(remotesFolder(w.config), space.id), { recursive: true })
  assert.deepEqual(await branchesOf(space.id), tips)
})

test('what cannot be done is refused branch by branch with a sentence, and nothing is half done', async () => {
  const { space, at } = await spaceWithPages()
  const clone = await cloneOf(space.id)
  const refused = async (pattern: RegExp, ...refs: string[]) =>
    assert.match(await clone.push(...refs), pattern, refs.join(' '))
  const onto = await clone.tip()
  await clone.commits([
    {
      ...{ ref: 'refs/heads/code', onto },
      changes: [file('src/main.ts', 'code'), file('LICENSE', 'words')],
    },
    { ref: 'refs/heads/unlisted', onto, changes: [file('new.md', '# New\n')] },
    { ref: 'refs/heads/unrelated', changes: [file('a.md', '# A\n')] },
    { ref: 'refs/heads/good', onto, changes: [file('more.md', '# More\n\nGood.\n')] },
  ])
  const said = await clone.push(
    'code',
    'unlisted',
    'unrelated',
    'main:same',
    'good',
    'good:refs/tags/v1',
    'good:main/x',
  )
  for (const [ref, pattern] of [
    ['code', /cannot keep LICENSE, src\/main\.ts:/],
    ['unlisted', /new\.md: not listed in SUMMARY\.md/],
    ['unrelated', /no revision of the space in it/],
    ['main', /every commit of this branch is on main already/],
    ['good:refs/tags/v1', /only branches can be pushed/],
    ['good:refs/heads/main/x', /above or below that of another branch/],
  ] as const)
    assert.match(said.split('\n').find(line => line.startsWith(`!\trefs/heads/${ref}`)) ?? said, pattern, ref)
  assert.match(said, /^\*\trefs\/heads\/good:refs\/heads\/good\t\[new branch\]/m)
  assert.equal((await w.call('GET', `${at.path}/change-requests?status=all`)).body.items.length, 1)

  await refused(/archive or merge its change request/, ':good')
  await refused(/number is open: push to a branch of another name/, 'good:change-requests/7')
  await commitOn(clone, 'good', [file('more.md', '# More\n\nBetter.\n')])
  await w.call('PATCH', `${at.path}/change-requests/1`, { body: { status: 'archived' } })
  await refused(/\[new branch\]/, 'good')
  assert.equal(
    (await requestOf(space.id, 2)).status,
    'open',
    'the name of a closed change request opens another',
  )
  const reading = await cloneOf(space.id, 'read')
  await commitOn(reading, 'mine', [file('more.md', '# More\n\nMine.\n')])
  assert.match(await reading.push('mine'), /createChangeRequest|needs the role edit|403/)
  const { body: narrow } = await w.call('POST', '/user/tokens', {
    body: { label: 'change requests', scopes: ['space:read', 'change-request:write'] },
  })
  const narrowed = await cloneOf(space.id, narrow)
  await narrowed.commit({ changes: [file('more.md', '# More\n\nMine.\n')] })
  assert.match(
    await narrowed.push('main', 'main:mine'),
    /^!\t.*main:refs\/heads\/main.*space:write[\s\S]*\[new branch\]|\[new branch\][\s\S]*space:write/m,
  )
})

/** Pushes a commit as git does, and lets something happen once who pushes is admitted and half of it is sent. */
async function pushWhile(
  clone: Clone,
  { token, ref, oid, from = '0'.repeat(40) }: { token: string; ref: string; oid: string; from?: string },
  happens: () => Promise<unknown>,
): Promise<string> {
  const pack = await clone.git(
    ['pack-objects', '--revs', '--stdout', '--quiet'],
    `${oid}\n^refs/heads/main\n`,
  )
  const command = `${from} ${oid} ${ref}\0 report-status`
  const asked = request(`${await originOf(w)}/git/${clone.spaceId}.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-git-receive-pack-request',
    },
  })
  const answer = once(asked, 'response') as Promise<[IncomingMessage]>
  asked.write(`${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`)
  asked.write(pack.subarray(0, 20))
  // It is there once everything is decided that is known before the pack.
  while (readdirSync(join(w.config.home, 'pushes')).length === 0) await sleep(5)
  await happens()
  asked.end(pack.subarray(20))
  return text((await answer)[0])
}

test('a push is refused when it is written if its author has lost the right meanwhile', async () => {
  const { space, at } = await spaceWithPages({ defaultLevel: 'edit' })
  const clone = await cloneOf(space.id)
  const main = await clone.tip()
  const oid = await commitOn(clone, 'mine', [file('more.md', '# More\n\nMine.\n')])
  const token = async (as: PersonName): Promise<{ id: string; token: string }> =>
    (await w.call('POST', '/user/tokens', { as, body: { label: 'push' } })).body
  const toMain = { ref: 'refs/heads/main', oid, from: main }
  const revoked = await token('admin')
  const live = { ...toMain, token: revoked.token }
  assert.match(
    await pushWhile(clone, live, () => w.call('DELETE', `/user/tokens/${revoked.id}`)),
    /ng refs\/heads\/main .*revoked/,
  )
  const locked = { ...toMain, token: w.people.admin.token }
  assert.match(
    await pushWhile(clone, locked, () => w.call('PATCH', at.path, { body: { editMode: 'locked' } })),
    /ng refs\/heads\/main .*takes no direct edits/,
  )
  const member = `/orgs/${w.organizationId}/members/${w.people.edit.id}`
  const opening = { ref: 'refs/heads/mine', oid, token: w.people.edit.token }
  assert.match(
    await pushWhile(clone, opening, () => w.call('PATCH', at.path, { body: { defaultLevel: 'read' } })),
    /ng refs\/heads\/mine .*needs the role edit/,
  )
  const changeRequest = await changeRequestOn(w, space.id)
  await clone.fetch()
  const from = await clone.tip('refs/remotes/origin/change-requests/1')
  await w.call('PATCH', at.path, { body: { defaultLevel: 'edit' } })
  const onTop = await commitOn(clone, 'theirs', [file('more.md', '# More\n\nMine.\n')], { onto: from })
  const editing = { ref: 'refs/heads/change-requests/1', oid: onTop, from, token: w.people.edit.token }
  assert.match(
    await pushWhile(clone, editing, () => w.call('DELETE', member)),
    /ng refs\/heads\/change-requests\/1 There is no /,
  )
  assert.equal((await w.call('GET', `${changeRequest.path}/content/pages`)).body.pages.length, 2)
  const branches = [...(await branchesOf(space.id))]
  assert.deepEqual(branches.toSorted(), [
    ['change-requests/1', from],
    ['main', main],
  ])
})

test('rights that are changed between the question and the write are asked for again', async () => {
  const { space, at } = await spaceWithPages()
  const { body: token } = await w.call('POST', '/user/tokens', { body: { label: 'push' } })
  const principal = await w.services.principals.find(token.token)
  const happenings = [
    () => w.call('PATCH', at.path, { body: { defaultLevel: 'read' } }),
    () => w.call('DELETE', `/user/tokens/${token.id}`),
  ]
  for (const happens of happenings) {
    let asked = 0
    const admit = async () => {
      asked += 1
      if (asked > 1) throw forbidden('No more.')
      return { ...w.services, principal } as never
    }
    const write = async ({ makeSure }: Rights) => {
      await w.services.transaction(makeSure)
      await happens()
      await w.services.transaction(makeSure)
    }
    await assert.rejects(whileRightsHold(w.services, space.id, admit, write), /No more/)
    assert.equal(asked, 2)
  }
})

test('of two pushes to one branch, one is asked to fetch first', async () => {
  const { space } = await spaceWithPages()
  const [one, other] = [await cloneOf(space.id), await cloneOf(space.id)]
  await commitOn(one, 'fix', [file('more.md', '# More\n\nOne.\n')])
  await commitOn(other, 'fix', [file('more.md', '# More\n\nOther.\n')])
  const said = await Promise.all([one.push('fix'), other.push('fix')])
  assert.equal(said.filter(text => /\[new branch\]/.test(text)).length, 1, said.join('\n'))
  assert.equal(
    said.filter(text => /fetch first|already exists|cannot lock/.test(text)).length,
    1,
    said.join('\n'),
  )
})

test('as many pushes of one person as there is room for are taken, and those of clients that leave make room', async () => {
  const { space } = await spaceWithPages({ defaultLevel: 'edit' })
  const at = `${await originOf(w)}/git/${space.id}.git`
  const headers = { authorization: `Bearer ${w.people.admin.token}` }
  const slow = Array.from({ length: 9 }, () => {
    const asked = request(`${at}/git-receive-pack`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-git-receive-pack-request' },
    })
    const status = new Promise<number | undefined>(resolve => {
      asked.on('response', answer => resolve(answer.statusCode)).on('error', () => resolve(undefined))
    })
    asked.write('00')
    return { asked, status }
  })
  assert.equal(await Promise.race(slow.map(({ status }) => status)), 503)
  const other = { authorization: `Bearer ${w.people.create.token}` }
  const asked = await fetch(`${at}/info/refs?service=git-receive-pack`, { headers: other })
  assert.equal(asked.status, 200, 'slow pushes of one person leave room for those of others')
  for (const { asked } of slow) asked.destroy()
  for (;;) {
    const { status } = await fetch(`${at}/info/refs?service=git-receive-pack`, { headers })
    if (status === 200) break
    assert.equal(status, 503)
  }
})
