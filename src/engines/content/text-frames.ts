// The frame of a text: its byte order mark, its line ends, and whether the last line ends. Each is a choice of two, so
// a three-way merge always has a result, and a side that only saved its file in another format has changed no line.
import { mapVersions, type Versions } from './versions.ts'

type LineEnd = '\n' | '\r\n'
const MARK = '\ufeff'

/** The three texts in one common frame; `restore` puts a text into the frame that the sides make together. */
export type UnframedVersions = { readonly versions: Versions; readonly restore: (text: string) => string }

/** The texts without a mark, with `\n` if each of them has one kind of line end, and with their last line ended. */
export function withoutFrames(versions: Versions): UnframedVersions {
  const isMarked = choose(mapVersions(versions, text => text.startsWith(MARK)))
  const unmarked = mapVersions(versions, text => (text.startsWith(MARK) ? text.slice(1) : text))
  const ends = mapVersions(unmarked, lineEndOf)
  const end = isUniform(ends) ? (chooseEnd(ends) ?? '\n') : '\n'
  const lines = isUniform(ends) ? mapVersions(unmarked, toNewlines) : unmarked
  const isEnded = choose(mapVersions(lines, text => text === '' || text.endsWith('\n')))
  return {
    versions: mapVersions(lines, text => (text === '' || text.endsWith('\n') ? text : `${text}\n`)),
    restore: text => {
      const cut = isEnded || !text.endsWith('\n') ? text : text.slice(0, -1)
      const ended = end === '\r\n' ? toNewlines(cut).replaceAll('\n', '\r\n') : cut
      return isMarked ? MARK + ended : ended
    },
  }
}

const isUniform = (ends: Versions<LineEnd | 'both' | undefined>): ends is Versions<LineEnd | undefined> =>
  Object.values(ends).every(end => end !== 'both')

const toNewlines = (text: string): string => text.replaceAll('\r\n', '\n')

/** The value that a side changed; there are only two values, so if both sides changed it they agree. */
const choose = <T>({ base, ours, theirs }: Versions<T>): T => (ours === base ? theirs : ours)

/** Of texts of one line nothing is known. */
function chooseEnd({ base, ours, theirs }: Versions<LineEnd | undefined>): LineEnd | undefined {
  if (base !== undefined) return choose({ base, ours: ours ?? base, theirs: theirs ?? base })
  return ours === theirs || theirs === undefined ? ours : ours === undefined ? theirs : '\n'
}

function lineEndOf(text: string): LineEnd | 'both' | undefined {
  let [bare, carried] = [0, 0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') carried++
    else bare++
  }
  if (carried === 0) return bare === 0 ? undefined : '\n'
  return bare === 0 ? '\r\n' : 'both'
}
