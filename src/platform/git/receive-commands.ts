// The commands of a push, one for each ref, and the report of their results
// (https://git-scm.com/docs/pack-protocol#_reference_update_request_and_packfile_transfer).
import { invalid } from '../../base/errors.ts'
import { FLUSH, onBand, type PktReader, pktLine } from './pkt-lines.ts'

export type RefCommand = {
  /** The ref's commit as the client knows it; undefined for a new ref. */
  readonly from: string | undefined
  /** Its new commit; undefined if it is deleted. */
  readonly to: string | undefined
  /** Its full name: `refs/heads/main`. */
  readonly ref: string
}

export type RefResult = {
  readonly ref: string
  /** Why nothing was done, in one line; absent on success. */
  readonly refused?: string
}

const COMMANDS_MAX = 20
const COMMANDS_BYTES_MAX = 64 * 1024
const NO_COMMIT = '0'.repeat(40)
// A client that is not offered `delete-refs` refuses by itself, without a reason.
const CAPABILITIES = [
  ...['report-status', 'side-band-64k', 'delete-refs', 'quiet', 'ofs-delta', 'object-format=sha1'],
]

/** The existing refs, by full name, as the first answer to a pushing client. */
export function renderRefs(refs: ReadonlyMap<string, string>, agent: string): Buffer {
  const offers = [...CAPABILITIES, `agent=${agent}`].join(' ')
  const entries = refs.size === 0 ? [['capabilities^{}', NO_COMMIT] as const] : [...refs]
  const lines = entries.map(([ref, oid], at) => pktLine(`${oid} ${ref}${at === 0 ? `\0${offers}` : ''}\n`))
  return Buffer.concat([pktLine('# service=git-receive-pack\n'), FLUSH, ...lines, FLUSH])
}

export type Commands = {
  readonly commands: readonly RefCommand[]
  readonly wantsReport: boolean
  readonly hasBands: boolean
}

/**
 * Reads no commands from a client that only checks whether it is admitted.
 *
 * @throws Failure invalid `body_invalid`, `commands_too_many`.
 */
export async function readCommands(reader: PktReader): Promise<Commands> {
  const lines = (await reader.lines(COMMANDS_BYTES_MAX)) ?? []
  const texts = lines.map(line => line.toString('utf8'))
  const [first = ''] = texts.filter(text => !text.startsWith('shallow '))
  const offered = new Set(first.slice(first.indexOf('\0') + 1).split(/\s+/))
  const commands = texts.flatMap(text => {
    // A shallow clone says where its history ends; whether that matters depends on the objects in the repository.
    if (/^shallow [0-9a-f]{40}\n?$/.test(text)) return []
    const [, from, to, ref] = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]+)(?:\0.*)?\n?$/.exec(text) ?? []
    if (from === undefined || to === undefined || ref === undefined)
      throw invalid('body_invalid', 'This is not what git sends: a line of commands cannot be read.')
    return { from: from === NO_COMMIT ? undefined : from, to: to === NO_COMMIT ? undefined : to, ref }
  })
  if (commands.length > COMMANDS_MAX)
    throw invalid('commands_too_many', `At most ${COMMANDS_MAX} branches can be pushed at once.`)
  return {
    commands,
    wantsReport: offered.has('report-status'),
    hasBands: offered.has('side-band-64k'),
  }
}

export type Report = {
  /** Why no object could be taken; absent on success. */
  readonly unpackFailure?: string | undefined
  readonly results: readonly RefResult[]
  /** Sentences for the person who pushes. */
  readonly messages: readonly string[]
}

/** The last answer to a pushing client. */
export function renderReport(
  { wantsReport, hasBands }: Pick<Commands, 'wantsReport' | 'hasBands'>,
  { unpackFailure, results, messages }: Report,
): Buffer {
  const lines = [
    pktLine(`unpack ${unpackFailure === undefined ? 'ok' : oneLine(unpackFailure)}\n`),
    ...results.map(({ ref, refused }) =>
      pktLine(refused === undefined ? `ok ${ref}\n` : `ng ${ref} ${oneLine(refused)}\n`),
    ),
    FLUSH,
  ]
  const report = wantsReport ? lines : []
  if (!hasBands) return Buffer.concat(report)
  const told = messages.map(message => `${oneLine(message)}\n`).join('')
  return Buffer.concat([...onBand(2, told), ...onBand(1, Buffer.concat(report)), FLUSH])
}

const LINE_CHARACTERS_MAX = 2_000

const oneLine = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, LINE_CHARACTERS_MAX)
