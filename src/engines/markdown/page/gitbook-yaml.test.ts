import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/support/characters.ts'
import { GITBOOK_DEFAULTS, parseGitbookYaml } from './gitbook-yaml.ts'

describe('.gitbook.yaml', () => {
  it('says where the content is and where old paths lead', () => {
    const { config, problems } = parseGitbookYaml(
      'root: ./docs/\nstructure:\n  readme: ./README.md\n  summary: toc//SUMMARY.md\nredirects:\n  old/path: new/page.md\n  help: https://x.y\n',
    )
    assert.deepEqual(problems, [])
    assert.deepEqual(config, {
      root: 'docs',
      structure: { readme: 'README.md', summary: 'toc/SUMMARY.md', isSummaryNamed: true },
      redirects: [
        { from: 'old/path', to: 'new/page.md' },
        { from: 'help', to: 'https://x.y' },
      ],
    })
  })

  it('has defaults for all that is not written', () => {
    for (const text of ['', '# nothing', 'root:', 'structure:', 'redirects:'])
      assert.deepEqual(parseGitbookYaml(text), { config: GITBOOK_DEFAULTS, problems: [] })
  })

  it('that is wrong in part is right in the rest', () => {
    const { config, problems } = parseGitbookYaml(
      'root: ../../etc\nstructure: [a]\nredirects:\n  a: b\n  c: [d]\n',
    )
    assert.deepEqual(config, { ...GITBOOK_DEFAULTS, redirects: [{ from: 'a', to: 'b' }] })
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['config_structure_invalid', 'config_path_invalid', 'config_redirect_invalid'],
    )
  })

  it('that is no YAML, no map or too large gives the defaults and a problem', () => {
    for (const text of ['a: b: c', '- a', 'text', 'a: "', `a: ${'x'.repeat(300_000)}`]) {
      const { config, problems } = parseGitbookYaml(text)
      assert.deepEqual(config, GITBOOK_DEFAULTS)
      assert.ok(problems.length > 0, text.slice(0, 20))
    }
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), text => void parseGitbookYaml(text)),
      { numRuns: 300 },
    )
    fc.assert(
      fc.property(
        fc.constantFrom('root', 'structure', 'redirects'),
        fc.json(),
        (key, value) => void parseGitbookYaml(`${key}: ${value}`),
      ),
      { numRuns: 300 },
    )
  })
})
