// Lists refs for clients of version 2, which ask before they fetch, without starting git
// (https://git-scm.com/docs/protocol-v2#_ls_refs). Unusual requests are left to git.
import { FLUSH, pktLine } from './pkt-lines.ts'

export type Refs = {
  /** Commits by full branch name. */
  readonly branches: ReadonlyMap<string, string>
  /** The branch that `HEAD` points to. */
  readonly head: string
}

// Git's request has some 200 bytes, and a prefix more for each ref fetched by name.
const ASKED_BYTES_MAX = 2_000
const DELIMITER = '0001'
const END = '0000'
const KNOWN = /^(?:agent=.*|object-format=sha1)$/
const OPTIONS = new Set(['peel', 'symrefs', 'unborn'])
const PREFIX = 'ref-prefix '

/** Undefined if git has to answer. */
export function answerRefs(asked: Uint8Array, { branches, head }: Refs): Buffer | undefined {
  const question = asked.length > ASKED_BYTES_MAX ? undefined : readQuestion(Buffer.from(asked))
  const tip = branches.get(head)
  if (question === undefined || tip === undefined) return undefined
  const { prefixes, hasTargets } = question
  const isAskedFor = (name: string) =>
    prefixes.length === 0 || prefixes.some(prefix => name.startsWith(prefix))
  const target = hasTargets ? ` symref-target:${head}` : ''
  const lines: readonly (readonly [name: string, line: string])[] = [
    ['HEAD', `${tip} HEAD${target}`],
    ...[...branches].map(([name, oid]) => [name, `${oid} ${name}`] as const),
  ]
  return Buffer.concat([
    ...lines.flatMap(([name, line]) => (isAskedFor(name) ? [pktLine(`${line}\n`)] : [])),
    FLUSH,
  ])
}

type Question = { readonly prefixes: readonly string[]; readonly hasTargets: boolean }

function readQuestion(asked: Buffer): Question | undefined {
  const lines = readLines(asked)
  if (lines === undefined || lines[0] !== 'command=ls-refs') return undefined
  const gap = lines.indexOf(DELIMITER)
  const end = gap === -1 ? lines.length : gap
  const args = lines.slice(end + 1)
  const isKnown =
    lines.slice(1, end).every(line => KNOWN.test(line)) &&
    args.every(line => OPTIONS.has(line) || line.startsWith(PREFIX))
  if (!isKnown) return undefined
  return {
    prefixes: args.flatMap(line => (line.startsWith(PREFIX) ? [line.slice(PREFIX.length)] : [])),
    hasTargets: args.includes('symrefs'),
  }
}

/** The lines without their ends; `0001` is a line too. Undefined if this is not a complete list of lines. */
function readLines(asked: Buffer): string[] | undefined {
  const lines: string[] = []
  for (let at = 0; ; ) {
    const digits = asked.toString('latin1', at, at + 4)
    if (digits === END) return at + 4 === asked.length ? lines : undefined
    if (digits === DELIMITER) {
      lines.push(DELIMITER)
      at += 4
      continue
    }
    const length = /^[0-9a-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : 0
    if (length <= 4 || at + length > asked.length) return undefined
    lines.push(asked.toString('utf8', at + 4, at + length).replace(/\n$/, ''))
    at += length
  }
}
