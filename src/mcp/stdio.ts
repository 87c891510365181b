// MCP over standard input and output, for programs that start what they talk with. It asks the API of a server over HTTP.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { askRemoteApi } from './remote-api.ts'
import { createMcpServer, spaceServer, workspaceServer } from './server.ts'

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
  const definition = space === undefined ? workspaceServer : spaceServer(space)
  const server = createMcpServer(definition, askRemoteApi(url, token), error =>
    process.stderr.write(`octavo: ${error instanceof Error ? error.stack : String(error)}\n`),
  )
  await new Promise<void>((resolve, reject) => {
    // The transport gives up on a line that is too long.
    server.onclose = resolve
    process.stdin.once('end', resolve)
    server.connect(new StdioServerTransport()).catch(reject)
  })
}
