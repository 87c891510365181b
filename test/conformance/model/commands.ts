// What people do to spaces and change requests, each as a step that is made on the model and on the server and then
// compared. A step refers to things by numbers, so that a failing run can be shrunk.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  EMPTY,
  type ModelConflict,
  type ModelContent,
  type ModelPage,
  mergeModels,
  type Take,
} from './content.ts'
import { type Server, toMarkdown } from './server.ts'

type Version = { readonly revision: string; readonly content: ModelContent }
type Revision = Version & { readonly parent: Version | null }
type ChangeRequest = {
  readonly path: string
  status: 'draft' | 'open' | 'archived' | 'merged'
  /** What it was last equal with. */
  base: Version
  head: Version
}
type Space = {
  readonly path: string
  head: Version
  readonly history: Revision[]
  readonly changeRequests: ChangeRequest[]
}

export type Model = {
  readonly spaces: Space[]
  /** Of all that has a word of its own. */
  words: number
}

const newModel = (): Model => ({ spaces: [], words: 0 })

type Command = fc.AsyncCommand<Model, Server>

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]

const spaceOf = ({ spaces }: Model, n: number): Space => pick(spaces, n) as Space
/** Those that are merged come last. */
const changeRequestsOf = (model: Model): { space: Space; changeRequest: ChangeRequest }[] =>
  model.spaces
    .flatMap(space => space.changeRequests.map(changeRequest => ({ space, changeRequest })))
    .sort((a, b) => Number(a.changeRequest.status === 'merged') - Number(b.changeRequest.status === 'merged'))

/** One thing that somebody does to pages; `which` chooses among what is there. */
type Edit = {
  readonly kind:
    | 'insert page'
    | 'insert chapter'
    | 'delete page'
    | 'move page'
    | 'rename page'
    | 'add paragraph'
    | 'remove paragraph'
    | 'dispute'
  /** A page: its place among those that there are, or its id. */
  readonly which: number | string
  readonly where: number
}

// The first few are chosen more often than the rest, so that people meet.
const choice = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 5)

const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom(
      ...(['insert page', 'insert chapter', 'delete page', 'move page', 'move page', 'rename page'] as const),
      ...(['rename page', 'add paragraph', 'remove paragraph', 'dispute', 'dispute', 'dispute'] as const),
    ),
    which: choice,
    where: choice,
  }),
  { minLength: 1, maxLength: 4 },
)

const newWord = (model: Model): string => {
  model.words += 1
  return `w${model.words}`
}
/** Nothing that another paragraph could be taken for. */
const newParagraph = (model: Model): string => {
  const word = newWord(model)
  return ['a', 'b', 'c', 'd'].map(letter => word + letter).join(' ')
}

type Change = Readonly<Record<string, unknown>>

/** The changes of a request and what they make of the content; new pages are keyed by their name in it. */
function plan(
  model: Model,
  before: ModelContent,
  steps: readonly Edit[],
): { changes: Change[]; content: Map<string, ModelPage> } {
  const content = new Map(before)
  const changes: Change[] = []
  const write = (id: string, page: ModelPage) => {
    content.set(id, page)
    changes.push({ operation: 'update_page', page: id, document: { markdown: toMarkdown(page) } })
  }
  for (const { kind, which, where } of steps) {
    // What is new in this request is left alone by the rest of it.
    const there = [...content].filter(([id]) => before.has(id))
    const [id, page] =
      (typeof which === 'number' ? pick(there, which) : there.find(([one]) => one === which)) ?? []
    const chapters = there.filter(([, { isChapter }]) => isChapter).map(([chapter]) => chapter)
    const into = pick([null, ...chapters], where) ?? null
    if (kind === 'insert page' || kind === 'insert chapter') {
      const isChapter = kind === 'insert chapter'
      const ref = newWord(model)
      const made: ModelPage = {
        isChapter,
        title: `Title ${ref}`,
        parent: isChapter ? null : into,
        disputed: newWord(model),
        paragraphs: [newParagraph(model), newParagraph(model)],
      }
      content.set(ref, made)
      const place = made.parent === null ? {} : { into: made.parent }
      const document = { markdown: toMarkdown(made) }
      changes.push({ operation: 'insert_page', ref, title: made.title, document, ...place })
      continue
    }
    if (id === undefined || page === undefined) continue
    if (kind === 'delete page') {
      const gone = there.filter(([one, { parent }]) => one === id || parent === id).map(([one]) => one)
      const isInUse = [...content].some(([one, { parent }]) => parent === id && !before.has(one))
      if (isInUse) continue
      for (const one of gone) content.delete(one)
      changes.push({ operation: 'delete_page', page: id })
    } else if (kind === 'move page') {
      if (page.isChapter || into === page.parent) continue
      content.set(id, { ...page, parent: into })
      changes.push({ operation: 'update_page', page: id, into })
    } else if (kind === 'rename page') {
      const title = `Title ${newWord(model)}`
      content.set(id, { ...page, title })
      changes.push({ operation: 'update_page', page: id, title })
    } else if (kind === 'add paragraph') {
      const at = where % (page.paragraphs.length + 1)
      write(id, { ...page, paragraphs: page.paragraphs.toSpliced(at, 0, newParagraph(model)) })
    } else if (kind === 'remove paragraph') {
      if (page.paragraphs.length === 0) continue
      write(id, { ...page, paragraphs: page.paragraphs.toSpliced(where % page.paragraphs.length, 1) })
    } else {
      write(id, { ...page, disputed: newWord(model) })
    }
  }
  return { changes, content }
}

/** New pages under the ids that the server gave them. */
function named(content: ReadonlyMap<string, ModelPage>, made: readonly Outcome[]): ModelContent {
  const ids = new Map(made.flatMap(({ ref, page }) => (ref === undefined ? [] : [[ref, page.id] as const])))
  return new Map([...content].map(([id, page]) => [ids.get(id) ?? id, page]))
}
type Outcome = { readonly ref?: string; readonly page: { readonly id: string } }

async function publish(space: Space, server: Server, revision: string, content: ModelContent): Promise<void> {
  const parent = space.head
  const made = { revision, content: await server.assertContent(space.path, content), parent }
  if (revision !== parent.revision) space.history.push(made)
  space.head = made
}

const LOCKED_STATUSES = ['archived', 'merged']

const SPACES_MAX = 2

class CreateSpace implements Command {
  check = (model: Readonly<Model>): boolean => model.spaces.length < SPACES_MAX
  async run(model: Model, server: Server): Promise<void> {
    const { id, revision } = await server.w.createSpace()
    const head: Revision = { revision, content: EMPTY, parent: null }
    model.spaces.push({ path: `/spaces/${id}`, head, history: [head], changeRequests: [] })
  }
  toString = (): string => 'create a space'
}

async function editSpace(model: Model, server: Server, space: Space, steps: readonly Edit[]): Promise<void> {
  const { changes, content } = plan(model, space.head.content, steps)
  if (changes.length === 0) return
  const answer = await server.ask('POST', `${space.path}/content`, { changes })
  await publish(space, server, answer.revision, named(content, answer.changes))
}

async function editChangeRequest(
  model: Model,
  server: Server,
  changeRequest: ChangeRequest,
  steps: readonly Edit[],
): Promise<void> {
  const { changes, content } = plan(model, changeRequest.head.content, steps)
  if (changes.length === 0) return
  const path = `${changeRequest.path}/content?compat=false`
  if (LOCKED_STATUSES.includes(changeRequest.status)) {
    assert.equal((await server.call('POST', path, { changes })).status, 409)
    return
  }
  const answer = await server.ask('POST', path, { changes })
  changeRequest.head = {
    revision: answer.changeRequest.revision,
    content: named(content, answer.changes),
  }
}

class EditSpace implements Command {
  readonly #where: number
  readonly #steps: readonly Edit[]
  constructor(where: number, steps: readonly Edit[]) {
    this.#where = where
    this.#steps = steps
  }
  check = (model: Readonly<Model>): boolean => model.spaces.length > 0
  async run(model: Model, server: Server): Promise<void> {
    await editSpace(model, server, spaceOf(model, this.#where), this.#steps)
  }
  toString = (): string => `edit space ${this.#where}: ${describe(this.#steps)}`
}

const describe = (steps: readonly Edit[]): string =>
  steps.map(({ kind, which, where }) => `${kind} ${which} ${where}`).join(', ')

class OpenChangeRequest implements Command {
  readonly #where: number
  constructor(where: number) {
    this.#where = where
  }
  check = (model: Readonly<Model>): boolean => model.spaces.length > 0
  async run(model: Model, server: Server): Promise<void> {
    const space = spaceOf(model, this.#where)
    const opened = await server.ask('POST', `${space.path}/change-requests`)
    space.changeRequests.push({
      path: `${space.path}/change-requests/${opened.id}`,
      status: opened.status,
      base: space.head,
      head: { revision: opened.revision, content: space.head.content },
    })
    assert.equal(opened.number, space.changeRequests.length, 'numbers count from 1 in each space')
  }
  toString = (): string => `open a change request on space ${this.#where}`
}

/** Steps upon one of the change requests that there are. */
abstract class OnChangeRequest implements Command {
  readonly which: number
  constructor(which: number) {
    this.which = which
  }
  check(model: Readonly<Model>): boolean {
    return changeRequestsOf(model).length > 0
  }
  async run(model: Model, server: Server): Promise<void> {
    const { space, changeRequest } = pick(changeRequestsOf(model), this.which) as {
      space: Space
      changeRequest: ChangeRequest
    }
    await this.step(model, server, space, changeRequest)
    const wire = await server.ask('GET', changeRequest.path)
    assert.deepEqual(
      [wire.status, wire.revision, wire.outdated],
      [
        changeRequest.status,
        changeRequest.head.revision,
        changeRequest.status !== 'merged' && changeRequest.base.revision !== space.head.revision,
      ],
    )
    const content = await server.assertContent(changeRequest.path, changeRequest.head.content)
    changeRequest.head = { ...changeRequest.head, content }
  }
  abstract step(model: Model, server: Server, space: Space, changeRequest: ChangeRequest): Promise<void>
  abstract toString(): string
}

class EditChangeRequest extends OnChangeRequest {
  readonly #steps: readonly Edit[]
  constructor(which: number, steps: readonly Edit[]) {
    super(which)
    this.#steps = steps
  }
  async step(model: Model, server: Server, _: Space, changeRequest: ChangeRequest): Promise<void> {
    await editChangeRequest(model, server, changeRequest, this.#steps)
  }
  toString = (): string => `edit change request ${this.which}: ${describe(this.#steps)}`
}

/** Two people change the same things of one page, one in the space and one in a change request. */
class Meet extends OnChangeRequest {
  readonly #page: number
  readonly #kinds: readonly [Edit['kind'], Edit['kind']]
  readonly #where: readonly [number, number]
  constructor(
    which: number,
    page: number,
    kinds: readonly [Edit['kind'], Edit['kind']],
    where: readonly [number, number],
  ) {
    super(which)
    this.#page = page
    this.#kinds = kinds
    this.#where = where
  }
  async step(model: Model, server: Server, space: Space, changeRequest: ChangeRequest): Promise<void> {
    const shared = [...space.head.content.keys()].filter(id => changeRequest.head.content.has(id))
    const page = pick(shared, this.#page)
    if (page === undefined) return
    const [one, other] = this.#kinds
    await editSpace(model, server, space, [{ kind: one, which: page, where: this.#where[0] }])
    await editChangeRequest(model, server, changeRequest, [
      { kind: other, which: page, where: this.#where[1] },
    ])
  }
  toString = (): string =>
    `${this.#kinds.join(' and ')} of page ${this.#page} by change request ${this.which} and its space`
}

class SetStatus extends OnChangeRequest {
  readonly #status: 'draft' | 'open' | 'archived'
  constructor(which: number, status: 'draft' | 'open' | 'archived') {
    super(which)
    this.#status = status
  }
  async step(_model: Model, server: Server, _space: Space, changeRequest: ChangeRequest): Promise<void> {
    const { status } = await server.call('PATCH', changeRequest.path, { status: this.#status })
    assert.equal(status, changeRequest.status === 'merged' ? 409 : 200)
    if (status === 200) changeRequest.status = this.#status
  }
  toString = (): string => `make change request ${this.which} ${this.#status}`
}

/** How a merge is asked for: first as a dry run or not, and what is taken where both sides meant something else. */
type Asking = { readonly take: Take | null; readonly isTriedFirst: boolean }
const askings = fc.record<Asking>({
  take: fc.constantFrom(null, 'ours', 'theirs', 'base'),
  isTriedFirst: fc.boolean(),
})
const describeAsking = ({ take, isTriedFirst }: Asking): string =>
  `${isTriedFirst ? ', tried first' : ''}${take === null ? '' : `, taking ${take}`}`

type Wire = { page?: string; field?: string; block?: string }

const addressesOf = (conflicts: readonly Wire[]): string[] =>
  conflicts.map(({ page, field }) => `${page} ${field ?? 'disputed'}`).sort()
const expectedAddresses = (conflicts: readonly ModelConflict[]): string[] =>
  conflicts.map(({ page, field }) => `${page} ${field}`).sort()

/**
 * Asks for a merge and holds its conflicts against those of the model. Answers the revision and the content that it
 * made, or undefined when nobody settled the conflicts and nothing was to change.
 */
async function askToMerge(
  server: Server,
  path: string,
  result: string,
  [base, ours, theirs]: readonly [ModelContent, ModelContent, ModelContent],
  { take, isTriedFirst }: Asking,
): Promise<Version | undefined> {
  const expected = mergeModels(base, ours, theirs, take ?? 'ours')
  if (expected === undefined) return undefined
  const { content, conflicts } = expected
  if (isTriedFirst) {
    const tried = await server.ask('POST', `${path}?dryRun=true`)
    assert.equal(tried.result, conflicts.length === 0 ? result : 'conflicts')
  }
  const answer = await server.ask('POST', path)
  assert.deepEqual(addressesOf(answer.conflicts ?? []), expectedAddresses(conflicts), path)
  if (conflicts.length === 0) {
    assert.equal(answer.result, result)
    return { revision: answer.revision, content }
  }
  assert.equal(answer.result, 'conflicts')
  if (take === null) return undefined
  const resolutions = answer.conflicts.map((conflict: Wire) => ({ ...conflict, take }))
  const settled = await server.ask('POST', path, { resolutions, compared: answer.compared })
  assert.equal(settled.result, result, JSON.stringify(settled))
  return { revision: settled.revision, content }
}

class Update extends OnChangeRequest {
  readonly #asking: Asking
  constructor(which: number, asking: Asking) {
    super(which)
    this.#asking = asking
  }
  async step(_model: Model, server: Server, space: Space, changeRequest: ChangeRequest): Promise<void> {
    const path = `${changeRequest.path}/update`
    if (LOCKED_STATUSES.includes(changeRequest.status)) {
      assert.equal((await server.call('POST', path)).status, 409)
      return
    }
    const { base, head } = changeRequest
    const isCurrent = base.revision === space.head.revision
    const theirs = isCurrent ? base.content : space.head.content
    const updated = await askToMerge(
      server,
      path,
      'update',
      [base.content, head.content, theirs],
      this.#asking,
    )
    if (updated === undefined) return
    assert.equal(updated.revision === head.revision, isCurrent, 'what is up to date stays as it is')
    changeRequest.head = updated
    changeRequest.base = space.head
  }
  toString = (): string => `update change request ${this.which}${describeAsking(this.#asking)}`
}

class Merge extends OnChangeRequest {
  readonly #asking: Asking
  constructor(which: number, asking: Asking) {
    super(which)
    this.#asking = asking
  }
  async step(_model: Model, server: Server, space: Space, changeRequest: ChangeRequest): Promise<void> {
    const path = `${changeRequest.path}/merge`
    if (LOCKED_STATUSES.includes(changeRequest.status)) {
      assert.equal((await server.call('POST', path)).status, 409)
      return
    }
    const versions = [changeRequest.base.content, space.head.content, changeRequest.head.content] as const
    const merged = await askToMerge(server, path, 'merge', versions, this.#asking)
    if (merged === undefined) return
    changeRequest.status = 'merged'
    await publish(space, server, merged.revision, merged.content)
  }
  toString = (): string => `merge change request ${this.which}${describeAsking(this.#asking)}`
}

class RollBack implements Command {
  readonly #where: number
  readonly #which: number
  readonly #asking: Asking
  constructor(where: number, which: number, asking: Asking) {
    this.#where = where
    this.#which = which
    this.#asking = asking
  }
  check = (model: Readonly<Model>): boolean => model.spaces.length > 0
  async run(model: Model, server: Server): Promise<void> {
    const space = spaceOf(model, this.#where)
    const { revision, content, parent } = pick(space.history, this.#which) as Revision
    const path = `${space.path}/revisions/${revision}/rollback`
    if (parent === null) {
      assert.equal((await server.call('POST', path)).status, 400)
      return
    }
    const versions = [content, space.head.content, parent.content] as const
    const made = await askToMerge(server, path, 'rollback', versions, this.#asking)
    if (made !== undefined) await publish(space, server, made.revision, made.content)
  }
  toString = (): string =>
    `roll back revision ${this.#which} of space ${this.#where}${describeAsking(this.#asking)}`
}

class ReadOldRevision implements Command {
  readonly #where: number
  readonly #which: number
  constructor(where: number, which: number) {
    this.#where = where
    this.#which = which
  }
  check = (model: Readonly<Model>): boolean => model.spaces.length > 0
  async run(model: Model, server: Server): Promise<void> {
    const { path, history, head } = spaceOf(model, this.#where)
    const { revision, content } = pick(history, this.#which) as Revision
    await server.assertContent(`${path}/revisions/${revision}`, content)
    const { count, items } = await server.ask('GET', `${path}/revisions?limit=1`)
    assert.deepEqual([count, items[0].id], [history.length, head.revision])
  }
  toString = (): string => `read revision ${this.#which} of space ${this.#where}`
}

const meetings = fc.constantFrom<readonly [Edit['kind'], Edit['kind']]>(
  ['dispute', 'dispute'],
  ['rename page', 'rename page'],
  ['move page', 'move page'],
  ['move page', 'move page'],
  ['delete page', 'add paragraph'],
  ['dispute', 'delete page'],
  ['add paragraph', 'remove paragraph'],
)

/** Runs of up to `steps` commands. */
export const runs = (steps: number) =>
  fc.commands(
    [
      fc.constant(new CreateSpace()),
      ...[0, 1].map(() => fc.tuple(choice, edits).map(([where, list]) => new EditSpace(where, list))),
      ...[0, 1].map(() => fc.tuple(choice, edits).map(([which, list]) => new EditChangeRequest(which, list))),
      ...[0, 1].map(() =>
        fc
          .tuple(choice, choice, meetings, fc.tuple(fc.nat(2), fc.nat(2)))
          .map(([which, page, kinds, where]) => new Meet(which, page, kinds, where)),
      ),
      choice.map(where => new OpenChangeRequest(where)),
      fc
        .tuple(choice, fc.constantFrom('draft' as const, 'open' as const, 'archived' as const))
        .map(([which, status]) => new SetStatus(which, status)),
      ...[0, 1].map(() => fc.tuple(choice, askings).map(([which, asking]) => new Update(which, asking))),
      ...[0, 1].map(() => fc.tuple(choice, askings).map(([which, asking]) => new Merge(which, asking))),
      fc.tuple(choice, choice, askings).map(([where, which, asking]) => new RollBack(where, which, asking)),
      fc.tuple(choice, choice).map(([where, which]) => new ReadOldRevision(where, which)),
    ],
    { maxCommands: steps, size: 'max' },
  )

const FIRST_EDITS: readonly Edit[] = [
  { kind: 'insert page', which: 0, where: 0 },
  { kind: 'insert chapter', which: 0, where: 0 },
  { kind: 'insert chapter', which: 0, where: 0 },
]

/** A space with two chapters and pages in and beside them, and a change request on it. */
export async function begin(server: Server): Promise<{ model: Model; real: Server }> {
  const model = newModel()
  const start = [
    new CreateSpace(),
    new EditSpace(0, FIRST_EDITS),
    new EditSpace(0, [
      { kind: 'insert page', which: 0, where: 1 },
      { kind: 'insert page', which: 0, where: 1 },
    ]),
    new OpenChangeRequest(0),
  ]
  for (const command of start) await command.run(model, server)
  return { model, real: server }
}
