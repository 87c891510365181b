import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/support/growth.ts'
import { acceptsEncoding } from './encodings.ts'

test('gzip is sent to clients that accept it', () => {
  for (const header of ['gzip', 'br, gzip', 'gzip;q=0.5', '*', 'GZIP', 'gzip ; q=1', '*;q=0, gzip', ' gzip'])
    assert.equal(acceptsEncoding(header, 'gzip'), true, header)
  for (const header of [undefined, '', 'br', 'gzip;q=0', 'gzip;q=0.0, br', 'xgzip', 'gzip;q=0, *', '*; q=0'])
    assert.equal(acceptsEncoding(header, 'gzip'), false, header)
})

test('a header of any shape is read in proportion to its length', async () => {
  const fillings = [' ', ',', ';', 'gzip', ' ,', '; ', ';q=0', ',gzip;q=0.', '*']
  for (const filling of fillings)
    await assertLinear(
      JSON.stringify(filling),
      header => acceptsEncoding(header, 'gzip'),
      length => `gzip${filling.repeat(length / filling.length)}x`,
      1_000_000,
    )
})
