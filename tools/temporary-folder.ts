// Where tests put their folders: in memory, where the machine has room for it. They make thousands of files that live
// for seconds, and a file system on a disk takes thirteen seconds of a processor over a run to find places for them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
// Several times what a run has at once.
const FREE_BYTES_MIN = 4e9

const PREFIX = 'octavo-tests-'

/** A folder that is removed when this process ends, or by the next run where it was killed. */
export function makeTemporaryFolder(parent = hasRoom() ? MEMORY : tmpdir()): string {
  for (const name of readdirSync(parent)) if (isLeftOver(name)) remove(join(parent, name))
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  process.on('exit', () => remove(folder))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  return folder
}

// Processes of tests that are about to end may still write to it.
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  } catch {
    // What is left is removed by the next run.
  }
}

function isLeftOver(name: string): boolean {
  const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Also for programs, which the tests start from there. */
function hasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map(line => line.split(' '))
      .findLast(([, place]) => place === MEMORY)
    const [, , type, options = ''] = mount ?? []
    if (type !== 'tmpfs' || /\b(?:noexec|ro)\b/.test(options)) return false
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory()) > FREE_BYTES_MIN
  } catch {
    return false
  }
}
