import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryOutline } from './summary-outline.ts'

test('a block whose YAML leads to itself, or writes out to megabytes, is left out and said', async () => {
  const blockOf = (props: string) =>
    `* \`\`\`yaml\n  type: builtin:openapi\n  props: ${props}\n  dependencies: { spec: { ref: { kind: openapi, spec: a } } }\n  \`\`\`\n`
  const outlineOf = async (props: string) =>
    summaryOutline(
      {
        text: blockOf(props),
        file: 'SUMMARY.md',
        there: new Set(),
        kept: new Set(),
        depthMax: 8,
        titleCharactersMax: 100,
        problemsMax: 10,
      },
      {},
    )
  assert.equal((await outlineOf('{ models: true }')).entries[0]?.kind, 'computed')
  for (const props of ['&a { x: *a }', `{ x: &a ${'y'.repeat(1_000)}, z: [*a, *a, *a, *a] }`]) {
    const { entries, problems } = await outlineOf(props)
    assert.deepEqual([entries, problems.map(({ code }) => code)], [[], ['computed_unknown']])
  }
})
