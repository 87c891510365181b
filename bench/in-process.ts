// The services over a folder that no server uses, for content that would take too long to make by requests.
import { openRuntime } from '../src/cli/runtime.ts'
import type { Services } from '../src/http/context.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'

export async function withServices<T>(home: string, run: (services: Services) => Promise<T>): Promise<T> {
  const runtime = await openRuntime(
    readConfig({ ...process.env, OCTAVO_HOME: home, OCTAVO_LOG_LEVEL: 'error' }),
    createLog('error'),
  )
  try {
    return await run(runtime.services)
  } finally {
    await runtime.close()
  }
}
