// Finds documents that were moved and edited in one commit, so that neither path nor bytes match.
//
// Documents are compared by the lines they share, found through an index of lines, so the work grows with the text and
// never with the number of pairs. Lines that many documents have (a licence, a separator) are ignored. At the bounds it
// still takes seconds, so it yields between documents.
import { inSlices, pause } from '../../../base/slices.ts'

const LINE_CHARACTERS_MIN = 4
const LINES_MAX = 2_000
const LINE_OWNERS_MAX = 16
const SHARED_MIN = 0.5

/**
 * Pairs missing documents (`went`) with new ones (`came`), most similar first, each at most once.
 * Similar means that shared lines are at least half of the text of both together, as in git's own rename detection.
 */
export async function pairSimilar<Went, Came>(
  went: ReadonlyMap<Went, Uint8Array>,
  came: ReadonlyMap<Came, Uint8Array>,
): Promise<Map<Came, Went>> {
  const index = new Map<string, Went[]>()
  const weightOfWent = new Map<Went, number>()
  for await (const [id, bytes] of inSlices(went)) {
    const lines = linesOf(bytes)
    weightOfWent.set(id, weigh(lines))
    for (const line of lines) {
      const owners = index.get(line)
      if (owners === undefined) index.set(line, [id])
      else owners.push(id)
    }
  }
  const candidates: { score: number; came: Came; went: Went }[] = []
  for await (const [id, bytes] of inSlices(came)) {
    const lines = linesOf(bytes)
    const weight = weigh(lines)
    const shared = new Map<Went, number>()
    for (const line of lines) {
      const owners = index.get(line)
      if (owners === undefined || owners.length > LINE_OWNERS_MAX) continue
      for (const owner of owners) shared.set(owner, (shared.get(owner) ?? 0) + line.length)
    }
    for (const [owner, characters] of shared) {
      const score = (2 * characters) / (weight + (weightOfWent.get(owner) ?? 0))
      if (score >= SHARED_MIN) candidates.push({ score, came: id, went: owner })
    }
  }
  await pause()
  // Sorting is stable, so among equals the order of the repository decides.
  candidates.sort((a, b) => b.score - a.score)
  const pairs = new Map<Came, Went>()
  const used = new Set<Went>()
  for (const candidate of candidates) {
    if (pairs.has(candidate.came) || used.has(candidate.went)) continue
    pairs.set(candidate.came, candidate.went)
    used.add(candidate.went)
  }
  return pairs
}

// Latin-1 gives every byte a character, so that any encoding can be compared.
function linesOf(bytes: Uint8Array): Set<string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const lines = new Set<string>()
  for (let start = 0; start < text.length && lines.size < LINES_MAX; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end).trim()
    if (line.length >= LINE_CHARACTERS_MIN) lines.add(line)
    start = end + 1
  }
  return lines
}

const weigh = (lines: ReadonlySet<string>): number => {
  let characters = 0
  for (const line of lines) characters += line.length
  return characters
}
