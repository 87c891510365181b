// An OCTAVO_HOME for the command, migrated only or started before. What such a folder looks like
// does not change, so it is copied.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyMigrated, madeOnce } from './migrated-home.ts'
import { serve, temporaryFolder } from './process.ts'

const SAID = 'said.txt'

/** A folder, by default one of this test file; the first `octavo serve` on it is the first start. */
export const newHome = (parent = temporaryFolder()): Promise<string> => copyMigrated(parent)

/**
 * A folder, by default one of this test file, on which `octavo serve` had its first start, with the token of
 * `serve` in process.ts.
 */
export async function startedHome(parent = temporaryFolder()): Promise<string> {
  const first = await firstStart()
  if (first === undefined) return newHome(parent)
  const home = join(parent, 'home')
  cpSync(first.home, home, { recursive: true })
  return home
}

/** The folder of that first start, which nobody may change, and what it said, on both of its streams. */
export async function firstStart(): Promise<{ readonly home: string; readonly said: string } | undefined> {
  // What it looks like is decided by the whole program: it is kept with that, or not at all.
  const program = process.env.OCTAVO_TEST_PROGRAM
  if (program === undefined) return undefined
  const made = await madeOnce(join(program, 'first-start'), async unfinished => {
    const server = await serve(await copyMigrated(unfinished))
    const { code, stdout, stderr } = await server.end('SIGTERM')
    if (code !== 0) throw new Error(`octavo serve: ${stderr}`)
    writeFileSync(join(unfinished, SAID), stdout + stderr)
  })
  return { home: join(made, 'home'), said: readFileSync(join(made, SAID), 'utf8') }
}
