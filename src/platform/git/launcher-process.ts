// The program that starts git for a server: forking copies the page tables of who forks, which holds a process of
// hundreds of megabytes for 20 ms and more, and this one hardly. It loads modules of node only. The streams of a
// command are unix sockets that the server opens to here; git is given them as they are, so its bytes do not pass here.
// It ends with the server, however that ends, and takes with it what runs.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** What the server asks for; `id` names the command. */
export type Order = {
  readonly id: number
  readonly args: readonly string[]
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
}

export type Report =
  | { readonly kind: 'listening'; readonly folder: string; readonly path: string }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'not_started'; readonly id: number; readonly message: string }
  | { readonly kind: 'exited'; readonly id: number; readonly code: number | null }

/** The first and only thing that is written to a socket before its command has started, as JSON. */
export type Label = readonly [id: number, stream: 0 | 1 | 2]

type Waiting = { order?: Order; readonly sockets: (Socket | undefined)[] }

// The address of a socket is at most 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_BYTES_MAX = 100

const waiting = new Map<number, Waiting>()
const groups = new Set<number>()
// What cannot be told goes to a server that is gone, and `disconnect` tells that.
const report = (news: Report): void => void process.send?.(news, undefined, undefined, () => {})

// Only its owner may enter the folder, so nobody else connects.
function makeFolder(parent: string): string {
  const isShort = Buffer.byteLength(join(parent, 'octavo-git-XXXXXX', 'socket')) <= SOCKET_PATH_BYTES_MAX
  return mkdtempSync(join(isShort ? parent : '/tmp', 'octavo-git-'))
}

function waitingFor(id: number): Waiting {
  const found = waiting.get(id) ?? { sockets: [undefined, undefined, undefined] }
  waiting.set(id, found)
  return found
}

function startWhenComplete(id: number): void {
  const { order, sockets } = waitingFor(id)
  if (order === undefined || sockets.includes(undefined)) return
  waiting.delete(id)
  try {
    start(order, sockets as Socket[])
  } catch (cause) {
    report({ kind: 'not_started', id, message: String(cause) })
  }
  // Git has its own copies. Ours are closed before the event loop turns, so nothing is read here.
  for (const socket of sockets) socket?.destroy()
}

function start({ id, args, env }: Order, stdio: Socket[]): void {
  const child = spawn('git', args, { env, cwd: '/', detached: true, stdio })
  child.on('error', cause => report({ kind: 'not_started', id, message: cause.message }))
  const { pid } = child
  if (pid === undefined) return
  groups.add(pid)
  report({ kind: 'started', id, pid })
  child.on('exit', code => {
    groups.delete(pid)
    report({ kind: 'exited', id, code })
  })
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nobody is left in the group.
  }
}

const folder = makeFolder(process.argv[2] ?? '/tmp')
const path = join(folder, 'socket')

process.on('disconnect', () => {
  for (const group of groups) endGroup(group)
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
// Whoever stops every process of the machine or the service stops the server too, which may still need git to end well.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

process.on('message', (order: Order) => {
  waitingFor(order.id).order = order
  startWhenComplete(order.id)
})
createServer(socket => {
  socket.on('error', () => {})
  socket.once('readable', () => {
    const label: Buffer | null = socket.read()
    if (label === null) return
    const [id, stream] = JSON.parse(label.toString()) as Label
    waitingFor(id).sockets[stream] = socket
    startWhenComplete(id)
  })
}).listen(path, () => report({ kind: 'listening', folder, path }))
