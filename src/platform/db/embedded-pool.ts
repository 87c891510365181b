// The embedded database as `pg` sees a server: a pool of connections, of which there is one.
import { Pool } from 'pg'
import type { Engine } from './embedded.ts'
import { EmbeddedSocket } from './embedded-socket.ts'
import { typeParsers } from './types.ts'

/** The one session of an engine as a pool of one connection: its queue is first come, first served. */
export const poolOf = (engine: Engine, waitMilliseconds: number): Pool =>
  new Pool({
    max: 1,
    stream: () => new EmbeddedSocket(engine),
    user: 'postgres',
    password: 'unused',
    database: 'postgres',
    ssl: false,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMilliseconds,
    types: typeParsers,
  })
