// A bare repository on the disk that holds what was fetched from one remote, so that the next fetch transfers only
// what is new. It is only a cache: if anything looks wrong, it is removed and fetched again. One process uses the
// folder, and one fetch at a time writes to it.
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MARKER = 'octavo-cache.json'
const VERSION = 1
// Each fetch leaves a pack. Beyond this many, fetching everything again is cheaper than searching all of them, and
// drops objects that no commit needs any more.
const PACKS_MAX = 50

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfilemode = true\n'

/**
 * Makes `directory` ready to fetch `url` into: keeps a sound cache of the same URL, else starts an empty one. Answers
 * whether it kept one.
 *
 * @throws Error if the directory is not a cache of Octavo.
 */
export async function prepareCache(directory: string, url: string, bytesMax: number): Promise<boolean> {
  if ((await readMarker(directory)) === url && (await isWhole(directory, bytesMax))) {
    await removeLeftovers(directory)
    return true
  }
  await dropCache(directory)
  await mkdir(directory, { recursive: true })
  // The marker is written first: a folder with a marker may be removed, whenever this is interrupted.
  await writeFile(join(directory, MARKER), JSON.stringify({ version: VERSION, url }))
  await mkdir(join(directory, 'objects', 'pack'), { recursive: true })
  await mkdir(join(directory, 'refs', 'octavo'), { recursive: true })
  await writeFile(join(directory, 'config'), CONFIG)
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/none\n')
  return false
}

/** Removes the cache; refuses a folder that is not one. */
export async function dropCache(directory: string): Promise<void> {
  const names = await namesIn(directory)
  if (names.length > 0 && !names.includes(MARKER)) throw new Error(`${directory} is not a repository cache`)
  await rm(directory, { recursive: true, force: true })
}

/** Makes the next fetch start from nothing, because objects of the cache could not be read. */
export const distrustCache = (directory: string): Promise<void> =>
  writeFile(join(directory, MARKER), JSON.stringify({ version: VERSION, damaged: true })).catch(() => {})

/** Bytes of the packs, including unfinished ones: everything fetched arrives there. */
export async function packBytes(directory: string): Promise<number> {
  const folder = join(directory, 'objects', 'pack')
  const sizes = await Promise.all(
    (await namesIn(folder)).map(name =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function readMarker(directory: string): Promise<unknown> {
  try {
    const marker: unknown = JSON.parse(await readFile(join(directory, MARKER), 'utf8'))
    if (typeof marker !== 'object' || marker === null || !('url' in marker) || !('version' in marker))
      return undefined
    return marker.version === VERSION ? marker.url : undefined
  } catch {
    return undefined
  }
}

async function isWhole(directory: string, bytesMax: number): Promise<boolean> {
  const [config, packs, bytes] = await Promise.all([
    readFile(join(directory, 'config'), 'utf8').catch(() => ''),
    namesIn(join(directory, 'objects', 'pack')),
    packBytes(directory),
  ])
  return (
    config === CONFIG && packs.filter(name => name.endsWith('.pack')).length <= PACKS_MAX && bytes <= bytesMax
  )
}

// A killed git leaves locks, which would block every later one, and unfinished packs.
async function removeLeftovers(directory: string): Promise<void> {
  const remove = async (folder: string, isLeftover: (name: string) => boolean): Promise<void> => {
    for (const name of await namesIn(folder)) {
      if (isLeftover(name)) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
  await Promise.all([
    remove(directory, name => name.endsWith('.lock')),
    remove(join(directory, 'refs', 'octavo'), name => name.endsWith('.lock')),
    remove(join(directory, 'objects', 'pack'), name => name.startsWith('tmp_') || name.endsWith('.keep')),
    remove(join(directory, 'objects'), name => name.startsWith('tmp_') || name.startsWith('incoming-')),
  ])
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const turns = new Map<string, Promise<unknown>>()

/** Runs one at a time for each directory, in order of arrival. */
export function inTurn<T>(directory: string, run: () => Promise<T>): Promise<T> {
  const mine = (turns.get(directory) ?? Promise.resolve()).then(run, run)
  turns.set(directory, mine)
  const leave = (): void => {
    if (turns.get(directory) === mine) turns.delete(directory)
  }
  mine.then(leave, leave)
  return mine
}
