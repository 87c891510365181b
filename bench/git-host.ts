// A git host in a process of its own: `node bench/git-host.ts <folder of bare repositories>` prints its address.
import { startGitServer } from '../test/support/git-server.ts'

const [root] = process.argv.slice(2)
if (root === undefined) throw new Error('say which folder to serve')
const server = await startGitServer({ root })
process.stdout.write(`${server.url}\n`)
