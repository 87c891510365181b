// Starts git through launcher-process.js. One such process exists from the first command on; if it ends, the next
// command starts another.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import type { Label, Order, Report } from './launcher-messages.ts'

export type Launch = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** The process id, which is also its group's; rejects like `exited`. */
  readonly started: Promise<number>
  /** The exit code, or null after a signal; rejects with NotStarted, NoLauncher or LauncherEnded. */
  readonly exited: Promise<number | null>
  /** Ends an unresponsive launcher, and all of its commands. */
  abandon(): void
}

/** Git could not be started: it is not on its PATH, or the machine refuses another process. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted'
}

/** The launcher could not be started. */
export class NoLauncher extends Error {
  override readonly name = 'NoLauncher'
}

/** The launcher ended while the command ran, or could not be reached. */
class LauncherEnded extends Error {
  override readonly name = 'LauncherEnded'
}

// A socket path may have at most 107 bytes on Linux and 103 on macOS; 25 of them follow this folder.
const PARENT_BYTES_MAX = 75

let launcher: Launcher | undefined

/**
 * Starts git in its own group, in the root folder, with exactly this environment.
 *
 * @throws NoLauncher if there is no folder for its socket, or no memory for the process.
 */
export function launch(order: Omit<Order, 'id'>): Launch {
  if (launcher === undefined || launcher.isOver) launcher = startLauncher()
  return launcher.launch(order)
}

function startLauncher(): Launcher {
  try {
    return new Launcher(makeFolder())
  } catch (cause) {
    throw new NoLauncher('', { cause })
  }
}

/** Only its owner may enter it, so that no other user connects. */
function makeFolder(): string {
  const isShort = Buffer.byteLength(tmpdir()) <= PARENT_BYTES_MAX
  return mkdtempSync(join(isShort ? tmpdir() : '/tmp', 'octavo-git-'))
}

class Launcher {
  readonly #child: ChildProcess
  readonly #commands = new Map<number, LaunchedCommand>()
  readonly #listening = Promise.withResolvers<void>()
  readonly #path: string
  #isListening = false
  /** It starts no more commands: it has ended, or ends after its running commands. */
  isOver = false
  #count = 0

  constructor(folder: string) {
    this.#path = join(folder, 'socket')
    this.#child = fork(new URL('./launcher-process.js', import.meta.url), [folder], {
      cwd: '/',
      // The launcher does not need the server's environment: git's comes with each order.
      env: {},
      execArgv: [],
      // Its own group: Ctrl+C in a terminal is for the server.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // It does not keep the server running: a command has its own deadline.
    this.#child.unref()
    this.#child.channel?.unref()
    this.#listening.promise.catch(() => {})
    // The messages of `launcher-process`.
    this.#child.on('message', report => this.#take(report as Report))
    const end = (cause: unknown): void => {
      this.isOver = true
      this.#listening.reject(cause)
      const reason = this.#isListening ? new LauncherEnded('', { cause }) : new NoLauncher('', { cause })
      for (const command of this.#commands.values()) command.fail(reason)
      this.#commands.clear()
      void rm(folder, { recursive: true, force: true }).catch(() => {})
    }
    this.#child.once('error', end)
    this.#child.once('exit', (code, signal) => end(new Error(`the launcher ended with ${code ?? signal}`)))
  }

  launch(order: Omit<Order, 'id'>): Launch {
    const id = ++this.#count
    const onBreak = (cause: Error) => {
      command.fail(new LauncherEnded('', { cause }))
      this.isOver = true
      this.#forget(id)
    }
    const command = new LaunchedCommand(onBreak, () => void this.#child.kill('SIGKILL'))
    this.#commands.set(id, command)
    // If there is no channel, or it breaks, the process ends, which fails everything that waits.
    if (this.#child.connected) this.#child.send({ id, ...order } satisfies Order, () => {})
    this.#listening.promise.then(
      () => command.connect(this.#path, id),
      () => {},
    )
    return command
  }

  #forget(id: number): void {
    this.#commands.delete(id)
    if (this.isOver && this.#commands.size === 0 && this.#child.connected) this.#child.disconnect()
  }

  #take(report: Report): void {
    if (report.kind === 'listening') {
      this.#isListening = true
      this.#listening.resolve()
      return
    }
    const command = this.#commands.get(report.id)
    if (report.kind === 'started') {
      command?.start(report.pid)
      return
    }
    this.#forget(report.id)
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
  readonly abandon: () => void

  /** `onBreak`: a stream could not be opened. */
  constructor(onBreak: (cause: Error) => void, abandon: () => void) {
    this.abandon = abandon
    this.started.catch(() => {})
    this.exited.catch(() => {})
    const [input] = this.#sockets
    this.stdin = new Writable({
      // Anything written earlier would be read by the launcher.
      construct: callback => void this.started.then(() => callback(), callback),
      write: (chunk, encoding, callback) => void input.write(chunk, encoding, callback),
      final: callback => void input.end(callback),
      destroy: (cause, callback) => {
        input.destroy()
        callback(cause)
      },
    })
    // `exited` has the reason if a command fails before there is a listener.
    this.stdin.on('error', () => {})
    let isOver = false
    const settle = (): void => {
      isOver = true
    }
    this.started.then(settle, settle)
    for (const socket of this.#sockets) {
      socket.on('error', cause => {
        if (!isOver) onBreak(cause)
        isOver = true
      })
    }
  }

  connect(path: string, id: number): void {
    this.#sockets.forEach((socket, stream) => {
      if (socket.destroyed) return
      socket.connect(path)
      // There is one socket for each of the three streams.
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
