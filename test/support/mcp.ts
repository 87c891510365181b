// A client of MCP, the official one, over HTTP as programs use it.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { originOf } from './server.ts'
import type { PersonName, World } from './world.ts'

export type ToolAnswer = { readonly text: string; readonly isError: boolean }

export interface McpClient {
  readonly client: Client
  /** Calls a tool, which answers one text. */
  use(tool: string, args?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
}

/** As somebody who has a token of their own, or another token. */
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

export async function clientOver(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  after(() => client.close())
  return {
    client,
    async use(name, args = {}) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      const [only, ...others] = content as { type: string; text: string }[]
      assert.deepEqual([only?.type, others], ['text', []])
      return { text: only?.text ?? '', isError: isError === true }
    },
  }
}
