// Tools for when a space and a change request have changed the same thing: see what each side says, settle it, and
// merge then. The change request takes in the later changes of the space, so its side is `ours`.
import { type Static, Type } from 'typebox'
import { type Conflict, ConflictAddress } from '../api/conflicts/schema.ts'
import { counted } from '../base/counted.ts'
import { keysOf } from '../base/objects.ts'
import { OneOf } from '../http/list.ts'
import { ChangeRequestId, SpaceId } from './fields.ts'
import { contentAt } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError, type Tool, tool } from './tool.ts'

const SETTLED_MAX = 200
const TEXT_CHARACTERS_MAX = 100_000

const Compared = Type.Object({ ours: Type.String(), theirs: Type.String() })
const Side = Type.Union([Type.String(), Type.Null()])
const ConflictShown = Type.Object({
  conflict: Type.String({ description: 'Names it for settle_conflicts.' }),
  kind: Type.String(),
  message: Type.String(),
  page: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  base: Side,
  ours: Side,
  theirs: Side,
  isCut: Type.Boolean({ description: 'A text was too long to be shown in full.' }),
})
type ConflictShown = Static<typeof ConflictShown>

const Conflicts = Type.Object({
  count: Type.Integer(),
  conflicts: Type.Array(ConflictShown),
  compared: Type.Optional(Compared),
})

type Found = {
  readonly conflicts?: readonly Conflict[]
  readonly more?: number
  readonly compared?: Static<typeof Compared>
}

/** What an update answers. */
type Outcome = Found & { readonly result: string; readonly revision: string }

const readConflicts = tool({
  name: 'read_conflicts',
  title: 'Read conflicts',
  description:
    'Shows where a change request and later changes of its space contradict each other: the text of the change request (ours), of the space (theirs), and what both started from (base). Settle them with settle_conflicts.',
  input: Type.Object({ space: SpaceId, changeRequest: ChangeRequestId }),
  output: Conflicts,
  isReadOnly: true,
  async run(api, { space, changeRequest }) {
    return describeConflicts(await api.call<Found>('GET', `${contentAt(space, changeRequest)}/conflicts`))
  },
})

const settleConflicts = tool({
  name: 'settle_conflicts',
  title: 'Settle conflicts',
  description:
    'Brings a change request up to date with its space, and settles every conflict that read_conflicts shows, all or none: takes the text of the change request (ours), of the space (theirs), what was there before (base), or a text of your own. Without conflicts, leave resolutions empty. Merge it with merge_change_request afterwards.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    compared: Type.Optional(
      Type.Object(Compared.properties, {
        description: 'As read_conflicts gave it: if either side has changed since, nothing is written.',
      }),
    ),
    resolutions: Type.Array(
      Type.Object(
        {
          conflict: Type.String({ maxLength: 2048, description: 'As read_conflicts gives it.' }),
          take: OneOf(['ours', 'theirs', 'base', 'text']),
          text: Type.Optional(
            Type.Union([Type.String({ maxLength: TEXT_CHARACTERS_MAX }), Type.Number(), Type.Boolean()], {
              description: 'With take text: the Markdown of the block, or the value of the field.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { maxItems: SETTLED_MAX },
    ),
  }),
  output: Type.Object({
    done: Type.Boolean({ description: 'False: conflicts are left, and nothing was written.' }),
    revision: Type.Optional(Type.String({ description: 'The new revision of the change request.' })),
    ...Conflicts.properties,
  }),
  isDestructive: true,
  async run(api, { space, changeRequest, compared, resolutions }) {
    const content = contentAt(space, changeRequest)
    if (resolutions.length > 0 && compared === undefined)
      throw new ArgumentError(
        'arguments.compared: this is required with resolutions; read_conflicts gives it.',
      )
    const sent = toResolutions(resolutions)
    const body = { resolutions: sent, ...(compared === undefined ? {} : { compared }) }
    const outcome = await api.call<Outcome>('POST', `${content}/update`, { body })
    if (outcome.result === 'conflicts') {
      const { text, data } = describeConflicts(outcome)
      return { text: `Nothing was written: conflicts are left.\n${text}`, data: { done: false, ...data } }
    }
    return {
      text: `The change request is up to date with its space, at revision ${outcome.revision}. Read what it changes now with read_changes.`,
      data: { done: true, revision: outcome.revision, count: 0, conflicts: [] },
    }
  },
})

function describeConflicts({ conflicts = [], more = 0, compared }: Found) {
  const shown = conflicts.map(toShown)
  const count = shown.length + more
  const text = [
    count === 0 ? 'There are no conflicts.' : `${counted(count, 'conflict')}:`,
    ...shown.map(toText),
    ...(more === 0 ? [] : [`${counted(more, 'conflict')} more: they are shown once these are settled.`]),
    ...(compared === undefined ? [] : [`compared: ours ${compared.ours}, theirs ${compared.theirs}`]),
  ].join('\n\n')
  const sides = compared === undefined ? {} : { compared: { ours: compared.ours, theirs: compared.theirs } }
  return { text, data: { count, conflicts: shown, ...sides } }
}

const PARTS = keysOf(ConflictAddress)

const toShown = (one: Conflict): ConflictShown => ({
  conflict: String(
    new URLSearchParams(
      PARTS.flatMap((part): [string, string][] => (one[part] === undefined ? [] : [[part, one[part]]])),
    ),
  ),
  ...{ kind: one.kind, message: one.message, isCut: one.isCut ?? false },
  ...(one.page === undefined ? {} : { page: one.page }),
  ...(one.about === undefined ? {} : { title: one.about.title }),
  ...{ base: toSide(one.base), ours: toSide(one.ours), theirs: toSide(one.theirs) },
})

/** Fields that are no texts, as JSON. */
const toSide = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : (JSON.stringify(value) ?? null)

function toText({ conflict, message, title, base, ours, theirs, isCut }: ConflictShown): string {
  const sides = [
    ['ours, of the change request', ours],
    ['theirs, of the space', theirs],
    ['base', base],
  ] as const
  return [
    `Conflict ${conflict}${title === undefined ? '' : ` on "${toLine(title)}"`}: ${toLine(message)}`,
    ...sides.map(([name, value]) => `${name}: ${value === null ? 'nothing' : `\n${value}`}`),
    ...(isCut ? ['A text is cut here: read the page to see all of it.'] : []),
  ].join('\n')
}

type Resolution = {
  readonly conflict: string
  readonly take: string
  readonly text?: string | number | boolean
}

/** In the shape of the API. What is wrong with all of them is said at once. */
function toResolutions(resolutions: readonly Resolution[]): object[] {
  const problems: string[] = []
  const sent = resolutions.map(({ conflict, take, text }, index) => {
    const address = Object.fromEntries(new URLSearchParams(conflict))
    const unknown = Object.keys(address).filter(part => !PARTS.some(known => known === part))
    if (conflict === '' || unknown.length > 0)
      problems.push(
        `arguments.resolutions.${index}.conflict: there is no such conflict. read_conflicts names them.`,
      )
    if ((take === 'text') !== (text !== undefined))
      problems.push(`arguments.resolutions.${index}.text: this goes with take text, and only with it.`)
    if (take !== 'text' || text === undefined) return { ...address, take }
    return { ...address, take: 'block' in address ? { markdown: String(text) } : { value: text } }
  })
  if (problems.length > 0) throw new ArgumentError(problems.join('\n'))
  return sent
}

export const conflictTools: readonly Tool[] = [readConflicts, settleConflicts]
