// Starts git by way of launcher-process.ts, of which there is one from the first command on, and anew after it ended.
import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { type Readable, Writable } from 'node:stream'
import type { Label, Order, Report } from './launcher-process.ts'

export type Launch = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** The id of the process, which is that of its group too; rejects like `exited`. */
  readonly started: Promise<number>
  /** Its exit code, or null after a signal; rejects with NotStarted or LauncherEnded. */
  readonly exited: Promise<number | null>
}

/** Git could not be started: it is not on its PATH, or the machine refuses another process. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted'
}

/** The launcher ended while the command ran. */
export class LauncherEnded extends Error {
  override readonly name = 'LauncherEnded'
}

let launcher: Launcher | undefined

/** Starts git in a group of its own, in the root folder, with this environment and no other. */
export function launch(args: readonly string[], env: Readonly<Record<string, string>>): Launch {
  launcher ??= new Launcher(() => {
    launcher = undefined
  })
  return launcher.launch(args, env)
}

class Launcher {
  readonly #child: ChildProcess
  readonly #commands = new Map<number, LaunchedCommand>()
  readonly #listening = Promise.withResolvers<string>()
  #folder: string | undefined
  #count = 0

  constructor(onEnd: () => void) {
    this.#child = fork(new URL('./launcher-process.ts', import.meta.url), [tmpdir()], {
      cwd: '/',
      // What the server was given is not for it: git's environment comes with each order.
      env: {},
      execArgv: [],
      // A group of its own: Ctrl+C in a terminal is for the server.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // It keeps nobody alive: who waits for a command has its deadline.
    this.#child.unref()
    this.#child.channel?.unref()
    this.#listening.promise.catch(() => {})
    this.#child.on('message', report => this.#hear(report as Report))
    const end = (cause: unknown): void => {
      onEnd()
      this.#listening.reject(cause)
      for (const command of this.#commands.values()) command.fail(new LauncherEnded('', { cause }))
      this.#commands.clear()
      if (this.#folder !== undefined) void rm(this.#folder, { recursive: true, force: true }).catch(() => {})
    }
    this.#child.once('error', end)
    this.#child.once('exit', (code, signal) => end(new Error(`the launcher ended with ${code ?? signal}`)))
  }

  launch(args: readonly string[], env: Readonly<Record<string, string>>): Launch {
    const id = ++this.#count
    // A stream that breaks before git has it leaves an order behind that never starts: rather start anew.
    const command = new LaunchedCommand(() => this.#child.kill('SIGKILL'))
    this.#commands.set(id, command)
    // An error of the channel is followed by the end of the process.
    this.#child.send({ id, args, env } satisfies Order, () => {})
    this.#listening.promise.then(
      path => command.connect(path, id),
      () => {},
    )
    return command
  }

  #hear(report: Report): void {
    if (report.kind === 'listening') {
      this.#folder = report.folder
      this.#listening.resolve(report.path)
      return
    }
    const command = this.#commands.get(report.id)
    if (report.kind === 'started') {
      command?.start(report.pid)
      return
    }
    this.#commands.delete(report.id)
    if (report.kind === 'exited') command?.exit(report.code)
    else command?.fail(new NotStarted(report.message))
  }
}

class LaunchedCommand implements Launch {
  readonly #sockets = [new Socket(), new Socket(), new Socket()] as const
  readonly #started = Promise.withResolvers<number>()
  readonly #exited = Promise.withResolvers<number | null>()
  readonly started = this.#started.promise
  readonly exited = this.#exited.promise
  readonly stdin: Writable
  readonly stdout: Readable = this.#sockets[1]
  readonly stderr: Readable = this.#sockets[2]

  constructor(onBreak: () => void) {
    this.started.catch(() => {})
    this.exited.catch(() => {})
    const [input] = this.#sockets
    this.stdin = new Writable({
      // What is written earlier would be read by the launcher.
      construct: callback => void this.started.then(() => callback(), callback),
      write: (chunk, encoding, callback) => void input.write(chunk, encoding, callback),
      final: callback => void input.end(callback),
      destroy: (cause, callback) => {
        input.destroy()
        callback(cause)
      },
    })
    let isStarted = false
    const begin = (): void => {
      isStarted = true
    }
    this.started.then(begin, begin)
    for (const socket of this.#sockets) socket.on('error', () => isStarted || onBreak())
  }

  connect(path: string, id: number): void {
    this.#sockets.forEach((socket, stream) => {
      socket.connect(path)
      socket.write(JSON.stringify([id, stream as 0 | 1 | 2] satisfies Label))
    })
  }

  start(pid: number): void {
    this.#started.resolve(pid)
  }

  exit(code: number | null): void {
    this.#exited.resolve(code)
    this.stdin.destroy()
  }

  fail(reason: Error): void {
    this.#started.reject(reason)
    this.#exited.reject(reason)
    this.stdin.destroy()
    for (const socket of this.#sockets) socket.destroy()
  }
}
