// `npm test -- --watch src/api/spaces`: runs the tests again after every change of a source file.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'

const FOLDERS = ['src', 'test', 'tools', 'bench']
const SOURCE = /\.(?:ts|js|sql|css)$/
// An editor that saves several files, or a file in several writes, starts one run.
const QUIET_MS = 100

/** Never ends by itself. A change while tests run starts them once more when they are done. */
export function watchTests(runner: string, args: readonly string[]): void {
  let isRunning = false
  let isChanged = false
  let timer: NodeJS.Timeout | undefined

  function run(): void {
    isRunning = true
    isChanged = false
    spawn(process.execPath, [runner, ...args], { stdio: 'inherit' }).once('exit', () => {
      isRunning = false
      console.log('waiting for a change')
      if (isChanged) run()
    })
  }

  for (const folder of FOLDERS)
    watch(folder, { recursive: true }, (_, name) => {
      if (name === null || !SOURCE.test(name)) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        isChanged = true
        if (!isRunning) run()
      }, QUIET_MS)
    })
  run()
}
