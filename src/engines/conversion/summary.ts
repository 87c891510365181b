// The SUMMARY.md of an arrangement, and the pages that groups need to be in it.
import { joinPath } from '../../base/paths.ts'
import { type Entry, relativePath, type Tools } from './arrangement.ts'

export type WrittenSummary = {
  readonly text: string
  /** Pages for groups that have none, by their paths. */
  readonly made: ReadonlyMap<string, string>
}

const inLine = (title: string): string => title.replaceAll(/\s+/g, ' ').trim()

const isPage = ({ path, url, children }: Entry): boolean =>
  path !== undefined || url !== undefined || children.length === 0

/** `isFree`: whether no imported file has a path. */
export function writeSummary(
  entries: readonly Entry[],
  { slugify, writeLabel, writeLine }: Pick<Tools, 'slugify' | 'writeLabel' | 'writeLine'>,
  isFree: (path: string) => boolean,
): WrittenSummary {
  const made = new Map<string, string>()
  const makePage = (title: string, folder: string): string => {
    const name = slugify(title)
    for (let count = 1; ; count++) {
      const path = joinPath(folder, joinPath(count === 1 ? name : `${name}-${count}`, 'README.md'))
      if (!isFree(path) || made.has(path)) continue
      made.set(path, `# ${writeLine(inLine(title))}\n`)
      return path
    }
  }
  const lines: string[] = []
  const write = (one: Entry, depth: number, folder: string): void => {
    const target = one.url?.replaceAll(/[\s()<>]/g, encodeURIComponent)
    const address = target ?? relativePath('', one.path ?? makePage(one.title, folder))
    lines.push(`${'  '.repeat(depth)}* [${writeLabel(inLine(one.title))}](${address})`)
    for (const child of one.children) write(child, depth + 1, joinPath(folder, slugify(one.title)))
  }
  // Everything after a heading belongs to its group, so a group that is followed by others becomes a page.
  const groups = entries.length - 1 - entries.findLastIndex(isPage)
  const headings = new Set(entries.length > groups ? entries.slice(entries.length - groups) : [])
  for (const entry of entries) {
    if (!headings.has(entry)) {
      write(entry, 0, '')
      continue
    }
    lines.push('', `## ${writeLine(inLine(entry.title))}`, '')
    for (const child of entry.children) write(child, 0, slugify(entry.title))
  }
  return { text: `# Table of contents\n\n${lines.join('\n')}\n`, made }
}
