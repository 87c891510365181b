import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { gitBlobOid } from './git-blob.ts'

describe('the id of a blob', () => {
  for (const text of ['', 'a', 'ünïcode\r\n']) {
    it(`of ${JSON.stringify(text)} is the one git gives`, () => {
      const git = execFileSync('git', ['hash-object', '--stdin'], { input: text }).toString().trim()
      assert.equal(gitBlobOid(Buffer.from(text)), git)
    })
  }
})
