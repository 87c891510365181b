// The official client of MCP, over whatever it speaks.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export type ToolAnswer = { readonly text: string; readonly isError: boolean }

export interface McpClient {
  readonly client: Client
  /** Calls a tool, which answers one text. */
  use(tool: string, args?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
}

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
