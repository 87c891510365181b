// Serves bare repositories over http on loopback: real git (`git http-backend`) behind a small CGI bridge, which can
// also misbehave in the ways that hosts do.
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  /** Never answers. `onlyPacks`: tells its refs, and hangs when asked for objects. */
  | { readonly kind: 'hang'; readonly onlyPacks?: boolean }
  /** Sends so many bytes of the answer with the objects, then closes the connection, or says nothing any more. */
  | { readonly kind: 'cut' | 'stall'; readonly afterBytes: number }

const isPackRequest = (request: IncomingMessage): boolean =>
  request.method === 'POST' && (request.url ?? '').endsWith('/git-upload-pack')

export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const requests: string[] = []
  const authorizations: string[] = []
  let misbehaviour: Misbehaviour | undefined
  let packRequests = 0

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
    const asksForObjects = isPackRequest(request) && ++packRequests % 2 === 0
    if (how?.kind === 'hang' && (how.onlyPacks !== true || asksForObjects)) return
    const end = how?.kind === 'cut' || how?.kind === 'stall' ? how : undefined
    serve(options.root, request, response, asksForObjects ? end : undefined)
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
      packRequests = 0
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

function serve(root: string, request: IncomingMessage, response: ServerResponse, end?: End): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const child = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'uploadpack.allowAnySHA1InWant',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  response.on('close', () => child.kill('SIGKILL'))
  request.pipe(child.stdin)

  let head: Buffer | undefined = Buffer.alloc(0)
  let sent = 0
  const send = (bytes: Buffer): void => {
    if (end !== undefined && sent + bytes.length > end.afterBytes) {
      response.write(bytes.subarray(0, end.afterBytes - sent))
      if (end.kind === 'cut') setTimeout(() => response.destroy(), 20)
      child.stdout.removeAllListeners('end').destroy()
      return
    }
    sent += bytes.length
    if (!response.write(bytes)) {
      child.stdout.pause()
      response.once('drain', () => child.stdout.resume())
    }
  }
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) return send(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const body = head.subarray(end + 4)
    writeHead(response, head.toString('latin1', 0, end))
    head = undefined
    if (body.length > 0) send(body)
  })
  child.stdout.on('end', () => response.end())
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'status') status = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.writeHead(status)
}
