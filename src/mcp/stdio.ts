// MCP over standard input and output, for programs that start their MCP server. It calls a server's API over HTTP.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { askRemoteApi } from './remote-api.ts'
import { createMcpServer, spaceServer, workspaceServer } from './server.ts'

export type StdioOptions = {
  /** The server's address, without a trailing slash. */
  readonly url: string
  /** Absent: acts as a visitor, who reads one space. */
  readonly token?: string
  /** Only this space, read-only; absent: everything that the token opens. */
  readonly space?: string
}

/** Resolves when the input ends; earlier requests are still answered. */
export async function serveStdio({ url, token, space }: StdioOptions): Promise<void> {
  const definition = space === undefined ? workspaceServer : spaceServer(space)
  const server = createMcpServer(definition, askRemoteApi(url, token), error =>
    process.stderr.write(`octavo: ${error instanceof Error ? error.stack : String(error)}\n`),
  )
  await new Promise<void>((resolve, reject) => {
    // The transport closes on a line that is too long.
    server.onclose = resolve
    process.stdin.once('end', resolve)
    server.connect(new StdioServerTransport()).catch(reject)
  })
}
