// A disk of a few megabytes that tests can fill. Only this process holds it, so it disappears when the process ends.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './process.ts'

export type SmallDisk = {
  readonly folder: string
  /** Until not a byte more goes on it. */
  fill(): void
  /** Takes away what filled it. */
  makeRoom(): void
}

/** Undefined where the user who runs the tests may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const place = temporaryFolder()
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place]
  if (process.platform !== 'linux' || spawnSync('mount', options).status !== 0) return undefined
  const handle = openSync(place, 'r')
  spawnSync('umount', ['--lazy', place])
  const folder = `/proc/${process.pid}/fd/${handle}`
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      for (let bytes = Buffer.alloc(1 << 20, 1); bytes.length > 0; ) {
        try {
          writeSync(file, bytes)
        } catch {
          bytes = bytes.subarray(0, bytes.length >> 1)
        }
      }
      closeSync(file)
    },
    makeRoom: () => rmSync(ballast),
  }
}
