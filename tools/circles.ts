// Imports that lead back to where they began: circles of files, and pairs of folders that import each other.
import { posix } from 'node:path'

/** Each file of the project with the files of the project that it imports, whether types or values. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** The shortest circle through each file that is in one, each circle once, beginning with its first file by name. */
export function findFileCircles(graph: ImportGraph): string[][] {
  const circles = new Map<string, string[]>()
  for (const path of withinCircles(graph)) {
    const circle = shortestCircle(graph, path)
    if (circle === undefined) continue
    const first = circle.indexOf([...circle].sort()[0] ?? path)
    const turned = [...circle.slice(first), ...circle.slice(0, first)]
    circles.set(turned.join(), turned)
  }
  return [...circles.values()].sort()
}

// Without the files that import nothing of the rest, over and over: few files are left to search from.
function withinCircles(graph: ImportGraph): string[] {
  const left = new Set(graph.keys())
  for (let before = 0; before !== left.size; ) {
    before = left.size
    for (const path of left) if (!graph.get(path)?.some(target => left.has(target))) left.delete(path)
  }
  return [...left]
}

function shortestCircle(graph: ImportGraph, start: string): string[] | undefined {
  const importerOf = new Map<string, string>()
  const reached = [start]
  for (const path of reached) {
    for (const target of graph.get(path) ?? []) {
      if (target === start) return pathTo(path, start, importerOf)
      if (importerOf.has(target)) continue
      importerOf.set(target, path)
      reached.push(target)
    }
  }
  return undefined
}

function pathTo(path: string, start: string, importerOf: ReadonlyMap<string, string>): string[] {
  const back: string[] = []
  for (let at: string | undefined = path; at !== undefined && at !== start; at = importerOf.get(at))
    back.push(at)
  return [start, ...back.reverse()]
}

/** An import from one folder into another that imports from it in turn. */
export type TwoWayImport = { readonly path: string; readonly target: string }

/** The imports of each two-way pair of folders, of the direction that has fewer: those to remove. */
export function findTwoWayImports(graph: ImportGraph): TwoWayImport[] {
  const between = new Map<string, TwoWayImport[]>()
  for (const [path, targets] of graph) {
    for (const target of targets) {
      const [from, to] = [posix.dirname(path), posix.dirname(target)]
      if (from === to) continue
      const key = `${from} ${to}`
      between.set(key, [...(between.get(key) ?? []), { path, target }])
    }
  }
  return [...between].flatMap(([key, imports]) => {
    const opposite = between.get(key.split(' ').reverse().join(' '))
    if (opposite === undefined || opposite.length < imports.length) return []
    return opposite.length > imports.length || key < key.split(' ').reverse().join(' ') ? imports : []
  })
}
