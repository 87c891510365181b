// @ts-check
// The program that starts git for a server (record 38). It loads only Node's own modules, and is JavaScript so that
// Node loads no compiler either. The streams of a command are Unix sockets that the server opens to this process; git
// inherits them, so its bytes do not pass through here. It ends with the server, however that ends, and ends all
// running commands.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/**
 * @typedef {import('node:net').Socket} Socket
 * @typedef {import('./launcher-messages.ts').Order} Order
 * @typedef {import('./launcher-messages.ts').Report} Report
 * @typedef {import('./launcher-messages.ts').Label} Label
 * @typedef {{ order?: Order, readonly sockets: (Socket | undefined)[] }} Waiting
 */

/** Made by the server; only its owner may enter it, so nobody else connects. */
const folder = process.argv[2] ?? ''

/** @type {Map<number, Waiting>} */
const waiting = new Map()
/** @type {Set<number>} */
const groups = new Set()

/**
 * A report that cannot be sent is for a server that has ended, which `disconnect` reports.
 * @param {Report} news
 */
const report = news => void process.send?.(news, undefined, undefined, () => {})

/** @param {number} id */
function waitingFor(id) {
  const found = waiting.get(id) ?? { sockets: [undefined, undefined, undefined] }
  waiting.set(id, found)
  return found
}

/** @param {number} id */
function startWhenComplete(id) {
  const { order, sockets } = waitingFor(id)
  if (order === undefined || sockets.includes(undefined)) return
  waiting.delete(id)
  try {
    start(order, /** @type {Socket[]} */ (sockets))
  } catch (cause) {
    report({ kind: 'not_started', id, message: String(cause) })
  }
  // Git has its own copies. Ours are closed before the event loop turns, so nothing is read here.
  for (const socket of sockets) socket?.destroy()
}

// The system counts the time of all threads, and kills the process.
const BOUNDED = 'ulimit -t "$1"; shift; exec git "$@"'

/**
 * @param {Order} order
 * @param {Socket[]} stdio
 */
function start({ id, args, env, cpuSecondsMax }, stdio) {
  const [program, all] =
    cpuSecondsMax === undefined
      ? ['git', args]
      : ['/bin/sh', ['-c', BOUNDED, 'sh', String(cpuSecondsMax), ...args]]
  const child = spawn(program, all, { env, cwd: '/', detached: true, stdio })
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

process.on('disconnect', () => {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // The group is empty.
    }
  }
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
// A service manager signals every process of a service, but a stopping server may still need git.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})

process.on('message', message => {
  const order = /** @type {Order} */ (message)
  waitingFor(order.id).order = order
  startWhenComplete(order.id)
})
createServer(socket => {
  socket.on('error', () => {})
  socket.once('readable', () => {
    /** @type {Buffer | null} */
    const label = socket.read()
    if (label === null) return
    const [id, stream] = /** @type {Label} */ (JSON.parse(label.toString()))
    waitingFor(id).sockets[stream] = socket
    // The server has given up on a command whose sockets close before it has started.
    socket.once('close', () => waiting.delete(id))
    startWhenComplete(id)
  })
}).listen(join(folder, 'socket'), () => report({ kind: 'listening' }))
