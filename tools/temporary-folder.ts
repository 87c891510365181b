// Where tests put their folders: in memory, where the machine has room for it. They make thousands of files that live
// for seconds, and a file system on a disk takes thirteen seconds of a processor over a run to find places for them.
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
// Several times what a run has at once.
const FREE_BYTES_MIN = 4e9

/** A folder that is removed when this process ends. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'octavo-tests-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  return folder
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
