// @ts-check
// Runs git for git-server.ts in a small process of its own, because each start of git costs much more in a process as
// large as a test's. It does what `git http-backend` does (https://git-scm.com/docs/http-protocol), which takes three
// processes for each question. It is JavaScript so that node loads no compiler, which would make its forks dearer. Ends
// with the process that started it, however that ends: stdin closes then.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'

const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
}
const CONFIG = [
  ...['-c', 'safe.directory=*', '-c', 'uploadpack.allowAnySHA1InWant=true', '-c', 'pack.threads=1'],
  ...['-c', 'receive.autoGC=false', '-c', 'core.fsync=none'],
]

// What git can do, which it tells before all else in version 2, is the same of every repository.
/** @type {Buffer | undefined} */
let capabilities

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function serve(request, response) {
  const root = decodeURIComponent(String(request.headers['git-project-root']))
  const [, name = '', asked, service = ''] =
    /^\/([^?]+?)\/(info\/refs\?service=)?git-(upload-pack|receive-pack)$/.exec(request.url ?? '') ?? []
  const directory = join(root, decodeURIComponent(name))
  if (service === '' || !existsSync(join(directory, 'HEAD'))) return void response.writeHead(404).end()
  const isQuestion = asked !== undefined
  const protocol = String(request.headers['git-protocol'] ?? '')
  const hasNewest = protocol === 'version=2' && service === 'upload-pack'
  response.writeHead(200, {
    'content-type': `application/x-git-${service}-${isQuestion ? 'advertisement' : 'result'}`,
    'cache-control': 'no-cache',
  })
  if (isQuestion && hasNewest && capabilities !== undefined) return void response.end(capabilities)
  const flags = isQuestion ? ['--http-backend-info-refs'] : []
  const child = spawn('git', [...CONFIG, service, '--stateless-rpc', ...flags, '.'], {
    cwd: directory,
    env: { ...ENV, GIT_PROTOCOL: protocol },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  response.on('close', () => child.kill('SIGKILL'))
  send(request, child.stdin)
  if (isQuestion && !hasNewest) {
    const line = `# service=git-${service}\n`
    response.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`)
  }
  /** @type {Buffer[]} */
  const told = []
  if (isQuestion && hasNewest) child.stdout.on('data', piece => told.push(piece))
  child.stdout.pipe(response)
  child.on('close', code => {
    if (told.length > 0 && code === 0) capabilities = Buffer.concat(told)
  })
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:stream').Writable} stdin
 */
function send(request, stdin) {
  if (request.headers['content-encoding'] !== 'gzip') return void request.pipe(stdin)
  request
    .pipe(createGunzip())
    .on('error', () => stdin.destroy())
    .pipe(stdin)
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.stdout.write(`${port}\n`)
})
process.stdin.on('close', () => process.exit()).resume()
