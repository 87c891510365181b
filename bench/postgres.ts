// Databases of their own beside the one of DATABASE_URL.
import { Client } from 'pg'

export type OwnDatabase = { readonly env: { readonly DATABASE_URL?: string }; drop(): Promise<void> }

/** On the server of `url`; without one, what is started with `env` uses the embedded database. */
export async function createDatabase(name: string, url: string | undefined): Promise<OwnDatabase> {
  if (url === undefined) return { env: {}, async drop() {} }
  const database = `octavo_bench_${name}_${process.pid}`
  await administer(`create database ${database} template template0`, url)
  const own = new URL(url)
  own.pathname = `/${database}`
  return {
    env: { DATABASE_URL: own.href },
    async drop() {
      await administer(`drop database ${database} with (force)`, url)
    },
  }
}

/** The first row of what a statement answers. */
export async function administer(statement: string, url: string): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows[0]
  } finally {
    await client.end()
  }
}
