// How long each test file took when it ran last, kept where a clean install removes it. Without it the guess of who asks
// does, and only the end of a run is less even.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const PATH = fileURLToPath(new URL('../node_modules/.cache/octavo/test-times.json', import.meta.url))

export function readTimes(): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(PATH, 'utf8')) as Record<string, number>))
  } catch {
    return new Map()
  }
}

/** Files that did not run now keep the time they had. */
export function writeTimes(times: ReadonlyMap<string, number>): void {
  const all = Object.fromEntries([...readTimes(), ...times].map(([file, ms]) => [file, Math.round(ms)]))
  const unfinished = `${PATH}.${process.pid}`
  mkdirSync(dirname(PATH), { recursive: true })
  writeFileSync(unfinished, JSON.stringify(all, null, 1))
  renameSync(unfinished, PATH)
}
