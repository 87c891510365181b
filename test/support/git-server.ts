// Serves bare repositories over http on loopback: real git behind git-http-backend.js, which can also misbehave in the
// ways that hosts do.
import { spawn } from 'node:child_process'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'

export type GitServerOptions = {
  /** The folder that holds the repositories: `<root>/docs.git` is served as `<url>/docs.git`. */
  readonly root: string
  /** Asked for by basic auth when given. */
  readonly user?: string
  readonly password?: string
}

export interface GitServer {
  readonly port: number
  /** `http://127.0.0.1:<port>`, without credentials. */
  readonly url: string
  /** The address of a repository, with credentials if the server asks for some. */
  urlOf(repository: string): string
  /** What was asked so far: `GET /docs.git/info/refs?service=git-upload-pack`. */
  readonly requests: readonly string[]
  /** The `Authorization` headers that came. */
  readonly authorizations: readonly string[]
  /** From now on; undefined serves again. */
  misbehave(how: Misbehaviour | undefined): void
  close(): Promise<void>
}

export type Misbehaviour =
  | { readonly kind: 'redirect'; readonly to: string }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: string
      readonly contentType?: string
    }
  /** Never answers. `onlyPacks`: lists its refs, and hangs when asked for objects. */
  | { readonly kind: 'hang'; readonly onlyPacks?: boolean }
  /** Sends so many bytes of the answer with the objects, then closes the connection, or says nothing any more. */
  | { readonly kind: 'cut' | 'stall'; readonly afterBytes: number }

const isPackRequest = (request: IncomingMessage): boolean =>
  request.method === 'POST' && (request.url ?? '').endsWith('/git-upload-pack')

export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const requests: string[] = []
  const authorizations: string[] = []
  let misbehaviour: Misbehaviour | undefined
  // Of each connection: those who fetch at the same time have one each.
  let packRequests = new WeakMap<Socket, number>()
  const backendPort = await startBackend()

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const { authorization } = request.headers
    if (authorization !== undefined) authorizations.push(authorization)
    const how = misbehaviour
    if (how?.kind === 'redirect') {
      response.writeHead(302, { location: how.to + (request.url ?? '') }).end()
      return
    }
    if (how?.kind === 'status') {
      response.writeHead(how.status, { 'content-type': how.contentType ?? 'text/plain' }).end(how.body ?? '')
      return
    }
    if (!isAllowed(options, authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    // The first POST of protocol 2 asks for refs, the second for objects.
    const asked = (packRequests.get(request.socket) ?? 0) + (isPackRequest(request) ? 1 : 0)
    packRequests.set(request.socket, asked)
    const asksForObjects = isPackRequest(request) && asked % 2 === 0
    if (how?.kind === 'hang' && (how.onlyPacks !== true || asksForObjects)) return
    const end = how?.kind === 'cut' || how?.kind === 'stall' ? how : undefined
    serve(backendPort, options.root, request, response, asksForObjects ? end : undefined)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const userinfo =
    options.user === undefined
      ? ''
      : `${encodeURIComponent(options.user)}:${encodeURIComponent(options.password ?? '')}@`
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    urlOf: repository => `http://${userinfo}127.0.0.1:${port}/${repository}`,
    requests,
    authorizations,
    misbehave(how) {
      misbehaviour = how
      packRequests = new WeakMap()
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function isAllowed({ user, password = '' }: GitServerOptions, authorization: string | undefined): boolean {
  if (user === undefined) return true
  return authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

type End = { readonly kind: 'cut' | 'stall'; readonly afterBytes: number }

let backend: Promise<number> | undefined

/** The port of git-http-backend.js, of which a process has one. It holds nothing up, and ends with the process. */
function startBackend(): Promise<number> {
  backend ??= new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'git-http-backend.js')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`git-http-backend.js ended with ${code}`)))
    child.stdout.once('data', (port: Buffer) => {
      resolve(Number(port.toString()))
      child.unref()
      for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as Socket).unref()
    })
  })
  return backend
}

// Headers of a connection are not passed on.
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding'])

function serve(
  port: number,
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  end?: End,
): void {
  const headers = { ...request.headers, connection: 'close', 'git-project-root': encodeURIComponent(root) }
  const { method, url: path } = request
  const upstream = forward({ host: '127.0.0.1', port, method, path, headers, agent: false })
  upstream.on('error', () => response.destroy())
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)

  let sent = 0
  upstream.on('response', answer => {
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value)
    response.writeHead(answer.statusCode ?? 500)
    answer.on('error', () => response.destroy())
    answer.on('data', (bytes: Buffer) => {
      if (end !== undefined && sent + bytes.length > end.afterBytes) {
        response.write(bytes.subarray(0, end.afterBytes - sent))
        if (end.kind === 'cut') setTimeout(() => response.destroy(), 20)
        answer.removeAllListeners().on('error', () => {})
        upstream.removeAllListeners('error').on('error', () => {})
        upstream.destroy()
        return
      }
      sent += bytes.length
      if (!response.write(bytes)) {
        answer.pause()
        response.once('drain', () => answer.resume())
      }
    })
    answer.on('end', () => response.end())
  })
}
