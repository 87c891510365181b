// A client of MCP, over HTTP as programs use it.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { clientOver, type McpClient } from './mcp-client.ts'
import { originOf } from './server.ts'
import type { PersonName, World } from './world.ts'

/** With the token of a user, or another one. */
export const mcpOf = async (w: World, as: PersonName | { readonly token: string }): Promise<McpClient> =>
  connect(`${await originOf(w)}/mcp`, typeof as === 'string' ? w.people[as].token : as.token)

/** At the address of one space; `query` begins with a question mark. */
export const mcpOfSpace = async (w: World, space: string, query = '', token?: string): Promise<McpClient> =>
  connect(`${await originOf(w)}/s/${space}/~mcp${query}`, token)

const connect = (url: string, token?: string): Promise<McpClient> =>
  clientOver(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    }) as Transport,
  )
