// MCP over standard input and output, for programs that start what they talk with. It asks the API of a server over HTTP.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ApiError, type Method, type Send } from './api.ts'
import { createMcpServer, spaceOffer, workspaceOffer } from './server.ts'

export type StdioOptions = {
  /** Of the server, without a slash at its end. */
  readonly url: string
  /** Absent: as a visitor, who reads one space. */
  readonly token?: string
  /** Only this space, to read; absent: everything that the token opens. */
  readonly space?: string
}

/** Resolves when there is nothing more to read; what was asked until then is still answered. */
export async function serveStdio({ url, token, space }: StdioOptions): Promise<void> {
  const offer = space === undefined ? workspaceOffer : spaceOffer(space)
  const server = createMcpServer(offer, askOver(url, token), error =>
    process.stderr.write(`octavo: ${error instanceof Error ? error.stack : String(error)}\n`),
  )
  await new Promise<void>((resolve, reject) => {
    // The transport gives up on a line that is too long.
    server.onclose = resolve
    process.stdin.once('end', resolve)
    server.connect(new StdioServerTransport()).catch(reject)
  })
}

/** A redirection would take the token elsewhere: it is refused. */
const askOver =
  (url: string, token: string | undefined): Send =>
  async (method: Method, path, body, signal) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      redirect: 'error',
      signal,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new ApiError(503, `${url} does not answer as an Octavo does. Does it run, and is --url right?`)
    })
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
    return { status: response.status, body: isJson ? await response.json() : undefined }
  }
